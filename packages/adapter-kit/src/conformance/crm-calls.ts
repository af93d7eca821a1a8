import { createHash } from "node:crypto";
import { describe, expect, it, type TestContext } from "vitest";
import type { CrmCall } from "../crm.ts";
import type { Tested } from "../crm-conformance.ts";
import { faultOf } from "./crm-hands.ts";

const call: CrmCall = {
  callSid: "",
  leadExternalId: "",
  direction: "outbound",
  phoneNumber: "+12025550143",
  startedAt: "2026-03-01T09:30:00.000Z",
  wasAnswered: true,
  seconds: 62,
  outcome: "Interested",
  note: "Wants a quote for 20 seats.",
  rep: "Robin Tester",
  link: "https://leadline.example/leads/1",
};

export function describeCalls({ test, connect, readAll }: Tested): void {
  async function begin({ task }: TestContext) {
    const { calls } = test().crm;
    const callSid = `CA${createHash("md5").update(task.name).digest("hex")}`;
    const grant = await connect();
    const [lead] = (await readAll(grant, null)).leads;
    const told = { ...call, callSid, leadExternalId: lead?.externalId ?? "" };
    const standing = () =>
      test()
        .writtenCalls()
        .filter((each) => each.callSid === callSid);
    return { calls, grant, told, standing };
  }

  describe("calls", () => {
    it("are written on the lead, and found again by what names them here", async (context) => {
      const { calls, grant, told, standing } = await begin(context);
      const { callSid, leadExternalId } = told;
      expect(await calls.find(grant, told)).toBeNull();
      const written = await calls.create(grant, told);
      expect(standing()).toEqual([{ callSid, leadExternalId, note: expect.stringContaining(call.note) }]);
      expect(await calls.find(grant, told)).toEqual(written);
    });

    it("are changed where they stand", async (context) => {
      const { calls, grant, told, standing } = await begin(context);
      const { externalId } = await calls.create(grant, told);
      expect(await calls.update(grant, externalId, { ...told, outcome: "", note: "Wants none." })).toBe(true);
      expect(standing()).toMatchObject([{ note: expect.stringContaining("Wants none.") }]);
    });

    it("that somebody has deleted there are told, and not found", async (context) => {
      const { calls, grant, told, standing } = await begin(context);
      const { externalId } = await calls.create(grant, told);
      test().deleteCall(externalId);
      expect(standing()).toEqual([]);
      expect(await calls.update(grant, externalId, told)).toBe(false);
      expect(await calls.find(grant, told)).toBeNull();
    });

    it("whose answer was lost are found", async (context) => {
      const { calls, grant, told, standing } = await begin(context);
      test().fail({ loseAnswer: true });
      expect(await faultOf(calls.create(grant, told))).toBe("unreachable");
      expect(await calls.find(grant, told)).not.toBeNull();
      expect(standing()).toHaveLength(1);
    });

    it("with more of a note than fits are written without its end", async (context) => {
      const { calls, grant, told, standing } = await begin(context);
      await calls.create(grant, { ...told, outcome: "o".repeat(500), note: "n".repeat(70_000) });
      expect(standing()).toHaveLength(1);
    });

    it("of a lead that is gone there are refused", async (context) => {
      const { calls, grant, told } = await begin(context);
      const leadExternalId = await test().deleteLead();
      expect(await faultOf(calls.create(grant, { ...told, leadExternalId }))).toBe("refused");
    });
  });
}

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type CrmCall, CrmError } from "../crm.ts";
import type { Tested } from "../crm-conformance.ts";
import { faultOf } from "./crm-hands.ts";
import { troublesOfWriting } from "./crm-troubles.ts";

const call: CrmCall = {
  callSid: "",
  leadExternalId: "",
  direction: "outbound",
  phoneNumber: "+12025550143",
  startedAt: "2026-03-01T09:30:00.000Z",
  startedOn: "2026-03-01",
  wasAnswered: true,
  seconds: 62,
  outcome: "Interested",
  note: "Wants a quote for 20 seats.",
  rep: "Robin Tester",
  link: "https://leadline.example/leads/1",
};

export function describeCalls({ test, connect, readAll }: Tested): void {
  async function begin(name: string) {
    const { calls } = test().crm;
    const callSid = `CA${createHash("md5").update(name).digest("hex")}`;
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
    it("are written to the lead, and found again by their key", async ({ task }) => {
      const { calls, grant, told, standing } = await begin(task.name);
      const { callSid, leadExternalId } = told;
      expect(await calls.find(grant, told)).toBeNull();
      const written = await calls.create(grant, told);
      expect(standing()).toEqual([{ callSid, leadExternalId, note: expect.stringContaining(call.note) }]);
      expect(await calls.find(grant, told)).toEqual(written);
    });

    it("are updated in place", async ({ task }) => {
      const { calls, grant, told, standing } = await begin(task.name);
      const { externalId } = await calls.create(grant, told);
      expect(await calls.update(grant, externalId, { ...told, outcome: "", note: "Wants none." })).toBe(true);
      expect(standing()).toMatchObject([{ note: expect.stringContaining("Wants none.") }]);
    });

    it("report that they were deleted in the CRM, and are not found", async ({ task }) => {
      const { calls, grant, told, standing } = await begin(task.name);
      const { externalId } = await calls.create(grant, told);
      test().deleteCall(externalId);
      expect(standing()).toEqual([]);
      expect(await calls.update(grant, externalId, told)).toBe(false);
      expect(await calls.find(grant, told)).toBeNull();
    });

    it.each([
      ["lost", { loseAnswer: true }],
      ["cut", { cutsAnswer: true }],
    ])("whose response was %s are found", async (how, fault) => {
      const { calls, grant, told, standing } = await begin(how);
      test().fail(fault);
      expect(await faultOf(calls.create(grant, told))).toBe("unreachable");
      expect(await calls.find(grant, told)).not.toBeNull();
      expect(standing()).toHaveLength(1);
    });

    it.each(troublesOfWriting)(
      "fail on %s without being written, with the delay to retry after",
      async (trouble, fault, expected) => {
        const { calls, grant, told, standing } = await begin(trouble);
        test().fail(fault);
        await expect(calls.create(grant, told)).rejects.toMatchObject(expected);
        expect(standing()).toEqual([]);
        test().fail(fault);
        await expect(calls.find(grant, told)).rejects.toMatchObject(expected);
        const { externalId } = await calls.create(grant, told);
        test().fail(fault);
        await expect(calls.update(grant, externalId, told)).rejects.toMatchObject(expected);
        expect(standing()).toHaveLength(1);
      },
    );

    it("aren't updated if an error comes with the status of a success", async ({ task }) => {
      const { calls, grant, told } = await begin(task.name);
      const { externalId } = await calls.create(grant, told);
      test().fail({ status: 200 });
      await expect(calls.update(grant, externalId, told)).rejects.toBeInstanceOf(CrmError);
    });

    it("are refused once access has ended", async ({ task }) => {
      const { calls, grant, told } = await begin(task.name);
      const { externalId } = await calls.create(grant, told);
      test().expireAccess();
      expect(await faultOf(calls.find(grant, told))).toBe("access-refused");
      expect(await faultOf(calls.create(grant, told))).toBe("access-refused");
      expect(await faultOf(calls.update(grant, externalId, told))).toBe("access-refused");
    });

    it("with too long a note are written with the note truncated", async ({ task }) => {
      const { calls, grant, told, standing } = await begin(task.name);
      await calls.create(grant, { ...told, outcome: "o".repeat(500), note: "n".repeat(70_000) });
      expect(standing()).toHaveLength(1);
    });

    it("of a lead that was deleted in the CRM are refused", async ({ task }) => {
      const { calls, grant, told } = await begin(task.name);
      const leadExternalId = await test().deleteLead();
      expect(await faultOf(calls.create(grant, { ...told, leadExternalId }))).toBe("refused");
    });
  });
}

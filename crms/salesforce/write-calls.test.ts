import type { CrmCall } from "@leadline/adapter-kit/crm";
import { createCrmHands } from "@leadline/adapter-kit/conformance/crm-hands";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAgainstSandbox } from "./testing/open-against-sandbox.ts";

describe("a call with a lead that was converted", () => {
  let test: Awaited<ReturnType<typeof openAgainstSandbox>>;
  beforeAll(async () => {
    test = await openAgainstSandbox();
  });
  afterAll(() => test.close());

  const call: CrmCall = {
    callSid: `CA${"7".repeat(32)}`,
    leadExternalId: "",
    direction: "outbound",
    phoneNumber: "+12025550143",
    // An evening in the west of America.
    startedAt: "2026-03-01T01:30:00.000Z",
    startedOn: "2026-02-28",
    wasAnswered: true,
    seconds: 62,
    outcome: "",
    note: "Wants a quote.",
    rep: "Robin Tester",
    link: null,
  };
  const query = (q: string): Record<string, string | null>[] =>
    JSON.parse(test.people({ method: "GET", path: `/services/data/v62.0/query?${new URLSearchParams({ q })}` }).body)
      .records;

  it("is written to the contact that it became, found again and updated", async () => {
    const [lead] = query("SELECT Id, ConvertedContactId FROM Lead WHERE IsConverted = TRUE LIMIT 1");
    const grant = await createCrmHands(() => test).connect();
    const { calls } = test.crm;
    const told = { ...call, leadExternalId: lead?.["Id"] ?? "" };
    const { externalId } = await calls.create(grant, told);
    expect(lead?.["ConvertedContactId"]).toMatch(/^003/);
    const tasks = () =>
      query(`SELECT Id, WhoId, ActivityDate, Description FROM Task WHERE CallObject = '${call.callSid}'`);
    expect(tasks()).toMatchObject([
      { Id: externalId, WhoId: lead?.["ConvertedContactId"], ActivityDate: call.startedOn },
    ]);
    expect(await calls.find(grant, told)).toMatchObject({ externalId });
    expect(await calls.update(grant, externalId, { ...told, note: "Wants none." })).toBe(true);
    expect(tasks()).toMatchObject([{ Description: expect.stringContaining("Wants none.") }]);
  });
});

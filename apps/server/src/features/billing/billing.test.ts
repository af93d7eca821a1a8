import { describe, expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../../testing/test-app.ts";

const app = testApp();

interface PastCall {
  at: string;
  talkMs?: number;
  costMicros?: number;
  to?: string;
}

async function newOwner(timeZone = "UTC"): Promise<TestPerson & { organisationId: string }> {
  const person = await registerPerson(app);
  const { id } = await makeOrganisation(app, person);
  await app.ask("PUT", `/v1/organisations/${id}`, { token: person.token, body: { timeZone } });
  return { ...person, organisationId: id };
}

async function leaveCalls(owner: TestPerson & { organisationId: string }, calls: PastCall[]): Promise<void> {
  const rows = calls.map(({ at, talkMs = 0, costMicros = 0, to = "+12025550100" }) => ({
    call_sid: `CA${crypto.randomUUID().replaceAll("-", "")}`,
    organisation_id: owner.organisationId,
    user_id: owner.id,
    direction: "outbound" as const,
    status: talkMs > 0 ? ("completed" as const) : ("no-answer" as const),
    phone_number: to,
    phone_number_typed: to,
    carrier: "sandbox",
    created_at: at,
    answered_at: talkMs > 0 ? at : null,
    ended_at: at,
    duration_ms: talkMs,
    cost_micros: costMicros,
    reason: "hung-up-here" as const,
    process_key: 1,
  }));
  await app.database.withTransaction({ organisationId: owner.organisationId }, (tx) =>
    tx.insertInto("calls").values(rows).execute(),
  );
}

const statement = (by: TestPerson, month: string) =>
  app.ask("GET", `/v1/billing/statement?month=${month}`, { token: by.token });
const file = (by: TestPerson, month: string) =>
  app.ask("GET", `/v1/billing/statement/export?month=${month}`, { token: by.token });

describe("the statement", () => {
  test("of a new organisation holds only its balance", async () => {
    const owner = await newOwner();
    const read = await app.ask("GET", "/v1/billing/statement", { token: owner.token });
    expect(read.json()).toEqual({
      month: new Date().toISOString().slice(0, 7),
      timeZone: "UTC",
      balanceMicros: 0,
      days: [],
      numbers: [],
      otherCurrencies: [],
    });
  });

  test("sums a month's calls by day in the organisation's time zone, without other organisations' calls", async () => {
    const [owner, stranger] = [await newOwner("America/New_York"), await newOwner()];
    await leaveCalls(owner, [
      { at: "2026-03-01T04:59:59Z", talkMs: 1 },
      { at: "2026-03-01T05:00:00Z", talkMs: 61_000, costMicros: 13_000 },
      { at: "2026-03-08T12:00:00Z" },
      { at: "2026-03-08T13:00:00Z", talkMs: 9_600, costMicros: 7 },
      { at: "2026-03-08T14:00:00Z", talkMs: 1_600 },
      { at: "2026-04-01T03:59:59Z", talkMs: 2_000, costMicros: 1 },
      { at: "2026-04-01T04:00:00Z", talkMs: 1 },
    ]);
    await leaveCalls(stranger, [{ at: "2026-03-08T12:00:00Z", talkMs: 5, costMicros: 999 }]);
    expect((await statement(owner, "2026-03")).json()).toMatchObject({
      month: "2026-03",
      timeZone: "America/New_York",
      days: [
        { date: "2026-03-31", calls: 1, answered: 1, talkMs: 2_000, costMicros: 1, unpricedCalls: 0 },
        // The whole seconds that each call shows: 0:09 and 0:01. The answered call without a rate has no known cost.
        { date: "2026-03-08", calls: 3, answered: 2, talkMs: 10_000, costMicros: 7, unpricedCalls: 1 },
        { date: "2026-03-01", calls: 1, answered: 1, talkMs: 61_000, costMicros: 13_000 },
      ],
    });
  });

  test("lists the numbers held in the month, with their cost", async () => {
    const owner = await newOwner();
    const held = (number: string, acquiredAt: string, releasedAt: string | null) => ({
      id: crypto.randomUUID(),
      organisation_id: owner.organisationId,
      number,
      carrier: "sandbox",
      state: releasedAt === null ? ("owned" as const) : ("released" as const),
      is_caller_id: releasedAt === null,
      monthly_cost: 1_150_000,
      ordered_by: owner.id,
      acquired_at: acquiredAt,
      released_at: releasedAt,
    });
    const unique = String(Date.now()).slice(-6);
    const numbers = [
      held(`+1202${unique}1`, "2026-01-10T00:00:00Z", "2026-02-20T00:00:00Z"),
      held(`+1202${unique}2`, "2026-03-20T00:00:00Z", null),
    ];
    await app.database.withTransaction({ organisationId: owner.organisationId }, (tx) =>
      tx.insertInto("phone_numbers").values(numbers).execute(),
    );
    const heldIn = async (month: string) =>
      (await statement(owner, month)).json().numbers.map(({ number }: { number: string }) => number.slice(-1));
    expect(await heldIn("2026-02")).toEqual(["1"]);
    expect(await heldIn("2026-03")).toEqual(["2"]);
    expect((await statement(owner, "2026-04")).json().numbers).toMatchObject([
      { monthlyCostMicros: 1_150_000, releasedAt: null },
    ]);
  });

  test("refuses an invalid month", async () => {
    const owner = await newOwner();
    for (const month of ["2026-13", "2026", "1999-01"]) expect((await statement(owner, month)).statusCode).toBe(422);
  });
});

describe("the statement as CSV", () => {
  test("has a line a call, in order, with cells that no spreadsheet runs", async () => {
    const owner = await newOwner("Europe/Berlin");
    const body = { firstName: "=cmd|' /C calc'!A0", lastName: 'Müller;=1, "M"' };
    await app.ask("PUT", `/v1/users/${owner.id}`, { token: owner.token, body });
    await leaveCalls(owner, [
      { at: "2026-05-02T08:00:00Z", talkMs: 61_900, costMicros: 13_000 },
      { at: "2026-05-03T08:00:00Z", to: "+4930901820" },
      // Answered without a known rate.
      { at: "2026-05-04T08:00:00Z", talkMs: 5_000 },
    ]);
    const answer = await file(owner, "2026-05");
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(answer.headers["content-disposition"]).toContain("calls-2026-05.csv");
    const who = `"'=cmd|' /C calc'!A0 Müller;'=1, ""M"""`;
    expect(answer.body.split("\n")).toEqual([
      '\uFEFF"Begun (Europe/Berlin)","Who","Number","Outcome","Seconds","Carrier","Cost (USD)"',
      `"2026-05-02 10:00:00",${who},"+12025550100","Answered","61","sandbox","0.013000"`,
      `"2026-05-03 10:00:00",${who},"+4930901820","No answer","0","sandbox","0.000000"`,
      `"2026-05-04 10:00:00",${who},"+12025550100","Answered","5","sandbox",""`,
      "",
    ]);
  });

  test("is complete even if it is longer than a page", async () => {
    const owner = await newOwner();
    await leaveCalls(
      owner,
      Array.from({ length: 2_100 }, (_, index) => ({ at: new Date(Date.UTC(2026, 5, 1, 0, 0, index)).toISOString() })),
    );
    const lines = (await file(owner, "2026-06")).body.trim().split("\n");
    expect(lines).toHaveLength(2_101);
    expect(new Set(lines).size).toBe(2_101);
  });
});

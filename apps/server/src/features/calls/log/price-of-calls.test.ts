import { randomUUID } from "node:crypto";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { Limits } from "@leadline/contract/limits";
import { describe, expect, test } from "vitest";
import type { Tx } from "../../../db/transaction.ts";
import { flatRate } from "../../../testing/flat-rate.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../../testing/test-app.ts";
import { sandboxLine } from "../../../testing/sandbox-line.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";
import { endCallAsSeen } from "../abandoned-calls.table.ts";
import { changeCall, findCall } from "../calls.table.ts";

const { kind, line } = sandboxLine();
const app = testAppWithCalls([sandbox, line]);
const speaking = "+12025550100";
const price = 13_000;

async function connect(rep: Rep): Promise<string> {
  const body = { kind, label: "Line", settings: { line: "1" }, pricePerMinute: price };
  return (await app.ask("POST", "/v1/carriers", { token: rep.token, body })).json().id;
}
const setPrice = async (rep: Rep, id: string, perMinuteMicros: number): Promise<void> => {
  const body = { prefix: "", effectiveFrom: "2000-01-01", ...flatRate(perMinuteMicros), currentPassword: rep.password };
  const saved = await app.ask("PUT", `/v1/carriers/${id}/rates`, { token: rep.token, body });
  expect(saved.json()).toMatchObject({ perMinuteMicros });
};
const hangUp = async (by: TestPerson, callSid: string): Promise<number> =>
  (await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: by.token })).json().costMicros;
const limitsOf = async (by: TestPerson): Promise<Limits> =>
  (await app.ask("GET", "/v1/limits", { token: by.token })).json();

async function talk(by: TestPerson, phoneNumber = speaking): Promise<string> {
  const callSid = await dial(app, by, phoneNumber);
  await waitForStatus(app, by, { callSid, status: "in-progress" });
  return callSid;
}

describe("a call through an organisation's own carrier", () => {
  test("costs the rate that applied when it began, not when it ended", async () => {
    const rep = await newRep(app);
    const id = await connect(rep);
    const callSid = await talk(rep);
    await setPrice(rep, id, 90_000);
    expect(await hangUp(rep, callSid)).toBe(price);
    // A second report of the end charges nothing more.
    expect(await hangUp(rep, callSid)).toBe(price);
    expect(await hangUp(rep, await talk(rep))).toBe(90_000);
    expect((await limitsOf(rep)).used.dailySpend).toBe(price + 90_000);
  });

  test("costs nothing if it isn't answered, whoever ended it", async () => {
    const rep = await newRep(app);
    await connect(rep);
    const busy = await dial(app, rep, "+12025550103");
    expect(await waitForStatus(app, rep, { callSid: busy, status: "busy" })).toMatchObject({ costMicros: 0 });
    const ringing = await dial(app, rep, "+12025550104");
    await waitForStatus(app, rep, { callSid: ringing, status: "ringing" });
    expect((await limitsOf(rep)).used.dailySpend).toBe(0);
    expect(await hangUp(rep, ringing)).toBe(0);
  });
});

/** A row as left by a process that is killed during a call, inside the transaction so that nobody else ends it. */
async function leaveCall(tx: Tx, rep: Rep, { talkMs }: { talkMs: number | null }): Promise<string> {
  const callSid = `CA${randomUUID().replaceAll("-", "")}`;
  const answeredAtMs = Date.now() - 3_600_000;
  await tx
    .insertInto("calls")
    .values({
      call_sid: callSid,
      organisation_id: rep.organisationId,
      user_id: rep.id,
      direction: "outbound",
      status: talkMs === null ? "ringing" : "in-progress",
      answered_at: talkMs === null ? null : new Date(answeredAtMs).toISOString(),
      seen_at: new Date(answeredAtMs + (talkMs ?? 0)).toISOString(),
      phone_number: speaking,
      phone_number_typed: speaking,
      carrier: kind,
      rate: JSON.stringify(flatRate(price)),
      process_key: 0,
    })
    .execute();
  return callSid;
}

const chargesOf = async (rep: Rep): Promise<number[]> => {
  const { entries } = (await app.ask("GET", "/v1/billing/entries", { token: rep.token })).json();
  return entries.map(({ amountMicros }: { amountMicros: number }) => amountMicros);
};

describe("charges every started minute", () => {
  const lasted = [
    [0, 1],
    [1, 1],
    [60_000, 1],
    [60_001, 2],
    [600_000, 10],
  ] as const;
  test.each(lasted)("%i ms: %i of them, whether the process or a restart ends the call", async (ms, minutes) => {
    const rep = await newRep(app);
    await app.database.withTransaction({ organisationId: rep.organisationId }, async (tx) => {
      const cause = { reason: "hung-up-here", sip: 200, q850: 16 } as const;
      const ended = await leaveCall(tx, rep, { talkMs: 5 });
      const end = { status: "completed", ended: { cause, durationMs: ms, agoMs: 0 } } as const;
      const here = () => changeCall(tx, ended, ["in-progress"], end);
      expect(await here()).toMatchObject({ durationMs: ms, costMicros: minutes * price });
      expect(await here()).toBeNull();

      const left = await leaveCall(tx, rep, { talkMs: ms });
      const restart = () => endCallAsSeen(tx, left, { reason: "server-restarted", neverDialled: false });
      expect(await restart()).toMatchObject({ durationMs: ms, costMicros: minutes * price });
      expect(await restart()).toBeNull();
      expect(await findCall(tx, left)).toMatchObject({ costMicros: minutes * price });
    });
    expect(await chargesOf(rep)).toEqual([-minutes * price, -minutes * price]);
  });

  test("in the transaction that ends the call", async () => {
    const rep = await newRep(app);
    const endAndFail = app.database.withTransaction({ organisationId: rep.organisationId }, async (tx) => {
      const left = await leaveCall(tx, rep, { talkMs: 1 });
      await endCallAsSeen(tx, left, { reason: "server-restarted", neverDialled: false });
      throw new Error("the process is killed before it commits");
    });
    await expect(endAndFail).rejects.toThrow(/killed/);
    expect(await chargesOf(rep)).toEqual([]);
  });

  test("and none for an unanswered call that a restart ended", async () => {
    const rep = await newRep(app);
    const ended = await app.database.withTransaction({ organisationId: rep.organisationId }, async (tx) =>
      endCallAsSeen(tx, await leaveCall(tx, rep, { talkMs: null }), {
        reason: "server-restarted",
        neverDialled: false,
      }),
    );
    expect(ended).toMatchObject({ status: "failed", costMicros: 0 });
  });
});

describe("the daily spending limit", () => {
  test("counts the minutes that live calls have begun, refuses the next call, and counts none twice at the end", async () => {
    const rep = await newRep(app);
    await connect(rep);
    const colleagues = await Promise.all([registerPerson(app), registerPerson(app)]);
    for (const one of colleagues)
      await joinOrganisation(app, one, { organisationId: rep.organisationId, role: "member" });
    const [second, third] = colleagues;
    if (!second || !third) throw new Error("nobody joined");
    await app.ask("PUT", "/v1/limits", { token: rep.token, body: { dailySpend: 30_000 } });

    const first = await talk(rep);
    expect((await limitsOf(rep)).used.dailySpend).toBe(price);
    const other = await talk(second);
    expect((await limitsOf(rep)).used.dailySpend).toBe(2 * price);
    const refused = await app.ask("POST", "/v1/calls", { token: third.token, body: { phoneNumber: speaking } });
    expect([refused.statusCode, refused.json().detail]).toEqual([
      429,
      expect.stringContaining("Daily spending limit reached"),
    ]);
    await Promise.all([hangUp(rep, first), hangUp(second, other)]);
    expect((await limitsOf(rep)).used.dailySpend).toBe(2 * price);
    expect((await app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber: speaking } })).statusCode).toBe(
      429,
    );
  });

  test("lets only as many calls ring at once as it could pay the first minute of", async () => {
    const rep = await newRep(app);
    await connect(rep);
    await app.ask("PUT", "/v1/limits", { token: rep.token, body: { dailySpend: 30_000 } });
    const people = [rep, ...(await Promise.all(Array.from({ length: 4 }, () => registerPerson(app))))];
    for (const one of people.slice(1))
      await joinOrganisation(app, one, { organisationId: rep.organisationId, role: "member" });
    const body = { phoneNumber: "+12025550104" };
    const answers = await Promise.all(people.map(({ token }) => app.ask("POST", "/v1/calls", { token, body })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 429, 429, 429]);
  });
});

import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { BillingSummary } from "@leadline/contract/billing";
import { describe, expect, test, vi } from "vitest";
import { centsAMinute, echo, onTwoLines } from "../../../testing/on-two-lines.ts";
import { puppets, stringed } from "../../../testing/puppet-carrier.ts";
import { adjustBalance } from "../../../testing/set-balance.ts";
import type { TestPerson } from "../../../testing/test-app.ts";
import { newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

// No page is near these calls.
const app = testAppWithCalls([sandbox, stringed], { unattendedMs: 600_000 });
const { post, consult, hangUp, talk, waitFor } = onTwoLines(app);
const busy = "+12025550103";
const ringing = "+12025550104";

const transfer = (by: TestPerson, callSid: string, phoneNumber: string) =>
  post(by, callSid, "transfer", { phoneNumber });
const summaryOf = async (by: TestPerson): Promise<BillingSummary> =>
  (await app.ask("GET", "/v1/billing/summary", { token: by.token })).json();
const usedBy = async (by: TestPerson) => (await app.ask("GET", "/v1/limits", { token: by.token })).json().used;
const endThere = (callSid: string): void =>
  puppets.get(callSid)?.emit({ type: "ended", cause: { reason: "hung-up-there", sip: 200, q850: 16 } });

async function repWithLine(pricePerMinute = centsAMinute): Promise<Rep> {
  const rep = await newRep(app);
  const line = { kind: "stringed", label: "Line", settings: { line: "1" }, pricePerMinute };
  await app.ask("POST", "/v1/carriers", { token: rep.token, body: line });
  return rep;
}

/** A rep of a prepaid organisation in an answered call, which holds its first minute. */
async function inPrepaidCall(minutes: number) {
  const rep = await repWithLine();
  await app.ask("PUT", "/v1/billing/mode", { token: rep.token, body: { mode: "prepaid" } });
  await adjustBalance(app.database, { ...rep, balanceMicros: minutes * centsAMinute });
  const first = await talk(rep);
  return { rep, first, puppet: puppets.get(first) };
}

/** The rep's call on the second line, or the one that they left to the first. */
async function secondOf(rep: Rep, first: string): Promise<string> {
  const calls: { callSid: string }[] = (await app.ask("GET", "/v1/calls", { token: rep.token })).json();
  const second = calls.find(({ callSid }) => callSid !== first);
  if (!second) throw new Error("nothing was dialled");
  return second.callSid;
}

describe("a prepaid organisation's transfer to a number", () => {
  test("is a second paid call, which Leadline joins with the first once it is answered", async () => {
    const { rep, first, puppet } = await inPrepaidCall(10);
    const asked = await transfer(rep, first, echo);
    expect([asked.statusCode, asked.json()]).toMatchObject([200, { callSid: first, transfer: { phoneNumber: echo } }]);
    const left = await waitFor(rep, first, { line: null });
    const second = await secondOf(rep, first);
    expect(left).toMatchObject({
      status: "in-progress",
      held: false,
      joinedWith: { callSid: second },
      transfer: { phoneNumber: echo, attended: false, status: "taken" },
    });
    expect(await readCall(app, rep, second)).toMatchObject({ status: "in-progress", line: null });
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: 2 * centsAMinute });
    expect(await usedBy(rep)).toMatchObject({ concurrentCalls: 2, callsPerMinute: 2 });
    endThere(second);
    for (const callSid of [first, second])
      expect(await waitForStatus(app, rep, { callSid, status: "completed" })).toMatchObject({
        cause: { reason: "transferred" },
        costMicros: centsAMinute,
      });
    expect(puppet?.sentTo).toEqual([]);
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: 0, balanceMicros: 8 * centsAMinute });
  });

  test("ends with the money, both calls at once", async () => {
    const { rep, first } = await inPrepaidCall(2);
    await transfer(rep, first, echo);
    await waitFor(rep, first, { line: null });
    const second = await secondOf(rep, first);
    // Their first minutes are nearly over.
    await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      tx
        .updateTable("calls")
        .set({ answered_at: new Date(Date.now() - 50_000).toISOString() })
        .where("call_sid", "in", [first, second])
        .execute(),
    );
    for (const callSid of [first, second])
      expect(await waitForStatus(app, rep, { callSid, status: "completed", timeoutMs: 30_000 })).toMatchObject({
        cause: { reason: "balance-used-up" },
      });
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: 0, balanceMicros: 0 });
  });

  test("is refused if the balance doesn't cover its first minute, and the call continues", async () => {
    const { rep, first, puppet } = await inPrepaidCall(1);
    const refused = await transfer(rep, first, echo);
    expect([refused.statusCode, refused.json().type]).toEqual([402, "/api/docs#balance-too-low"]);
    expect(await readCall(app, rep, first)).toMatchObject({ status: "in-progress", held: false, transfer: null });
    expect(puppet?.sentTo).toEqual([]);
    // The refusal leaves nothing behind that would prevent another.
    await adjustBalance(app.database, { ...rep, balanceMicros: 10 * centsAMinute });
    expect((await transfer(rep, first, busy)).statusCode).toBe(200);
    await hangUp(rep, first);
  });

  test.each([
    ["a country that isn't allowed", "+4930901820", {}, "country-not-allowed"],
    ["a premium number", "+19005550123", {}, "number-blocked"],
    ["a blocked prefix", echo, { blockedPrefixes: ["+1202"] }, "prefix-blocked"],
    ["a rate above the limit", echo, { ratePerMinute: centsAMinute / 2 }, "rate-too-high"],
    ["more simultaneous calls than allowed", echo, { concurrentCalls: 1 }, "limit-reached"],
    ["more spending than a day allows", echo, { dailySpend: centsAMinute }, "limit-reached"],
  ])("is refused to %s", async (_, number, limits, code) => {
    const { rep, first, puppet } = await inPrepaidCall(10);
    const body = { ...limits, currentPassword: rep.password };
    expect((await app.ask("PUT", "/v1/limits", { token: rep.token, body })).statusCode).toBe(200);
    expect((await transfer(rep, first, number)).json().type).toBe(`/api/docs#${code}`);
    expect(await readCall(app, rep, first)).toMatchObject({ status: "in-progress", held: false, transfer: null });
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: centsAMinute });
    expect(puppet?.sentTo).toEqual([]);
    await hangUp(rep, first);
  });

  test("that isn't answered returns the far end to the rep, and costs nothing", async () => {
    const { rep, first } = await inPrepaidCall(10);
    await transfer(rep, first, busy);
    const returned = await vi.waitFor(async () => {
      const call = await readCall(app, rep, first);
      expect(call).toMatchObject({ held: false, transfer: { status: "refused", refusal: "busy", sip: 486 } });
      return call;
    });
    expect(returned).toMatchObject({ status: "in-progress", line: 1 });
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: centsAMinute });
    await hangUp(rep, first);
  });

  test("can be taken back while it rings, and ends with the first call", async () => {
    const { rep, first } = await inPrepaidCall(10);
    await transfer(rep, first, ringing);
    const second = await secondOf(rep, first);
    await waitForStatus(app, rep, { callSid: second, status: "ringing" });
    expect((await post(rep, first, "complete-transfer")).json().type).toBe("/api/docs#not-supported");
    expect((await transfer(rep, first, echo)).statusCode).toBeGreaterThanOrEqual(400);
    const takenBack = await app.ask("DELETE", `/v1/calls/${first}/transfer`, { token: rep.token });
    expect(takenBack.statusCode).toBe(204);
    await waitForStatus(app, rep, { callSid: second, status: "canceled" });
    await vi.waitFor(async () =>
      expect(await readCall(app, rep, first)).toMatchObject({ held: false, transfer: { refusal: "taken-back" } }),
    );
    await transfer(rep, first, ringing);
    const again = (await waitFor(rep, first, { held: true })) && (await secondOf(rep, first));
    endThere(first);
    await waitForStatus(app, rep, { callSid: again, status: "canceled" });
    expect(await waitForStatus(app, rep, { callSid: first, status: "completed" })).toMatchObject({
      transfer: { status: "refused" },
    });
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: 0, balanceMicros: 9 * centsAMinute });
  });
});

test("a prepaid attended transfer stays with Leadline, which charges both calls", async () => {
  const { rep, first, puppet } = await inPrepaidCall(10);
  const second: string = (await consult(rep, first, echo)).json().callSid;
  await waitForStatus(app, rep, { callSid: second, status: "in-progress" });
  expect((await post(rep, first, "complete-transfer")).statusCode).toBe(200);
  expect(await summaryOf(rep)).toMatchObject({ heldMicros: 2 * centsAMinute });
  await hangUp(rep, second);
  await waitForStatus(app, rep, { callSid: first, status: "completed" });
  expect(puppet?.sentTo).toEqual([]);
  expect(await summaryOf(rep)).toMatchObject({ heldMicros: 0, balanceMicros: 8 * centsAMinute });
});

describe("a metered organisation's transfer to a number", () => {
  test("with a price is a second call, which is counted until it ends", async () => {
    const rep = await repWithLine();
    const first = await talk(rep);
    expect((await transfer(rep, first, echo)).statusCode).toBe(200);
    expect(await waitFor(rep, first, { line: null })).toMatchObject({
      status: "in-progress",
      transfer: { phoneNumber: echo, attended: false, status: "taken" },
    });
    const second = await secondOf(rep, first);
    endThere(second);
    for (const callSid of [first, second])
      expect(await waitForStatus(app, rep, { callSid, status: "completed" })).toMatchObject({
        cause: { reason: "transferred" },
        costMicros: centsAMinute,
      });
    expect(puppets.get(first)?.sentTo).toEqual([]);
    expect(await summaryOf(rep)).toMatchObject({ mode: "metered", monthCostMicros: 2 * centsAMinute });
  });

  test("without one is left to the carrier, which knows more", async () => {
    const rep = await repWithLine(0);
    const first = await talk(rep);
    expect((await transfer(rep, first, echo)).statusCode).toBe(200);
    await vi.waitFor(() => expect(puppets.get(first)?.sentTo).toEqual([echo]));
    await hangUp(rep, first);
  });
});

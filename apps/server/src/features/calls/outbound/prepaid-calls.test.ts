import { randomUUID } from "node:crypto";
import type { CarrierLeg, CarrierModule, DialRequest } from "@leadline/adapter-kit/carrier";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { BillingSummary } from "@leadline/contract/billing";
import type { Call } from "@leadline/contract/calls";
import { describe, expect, test } from "vitest";
import { flatRate } from "../../../testing/flat-rate.ts";
import { openEventStream } from "../../../testing/open-event-stream.ts";
import { sandboxLine } from "../../../testing/sandbox-line.ts";
import { adjustBalance } from "../../../testing/set-balance.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../../testing/test-app.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";
import { extendHold, holdForNewCall } from "../../ledger/hold-for-call.ts";
import { endCallAsSeen } from "../abandoned-calls.table.ts";

const { kind, line: answering } = sandboxLine();
const line: CarrierModule = {
  ...answering,
  async open() {
    const inner = await sandbox.open({});
    return { ...inner, dial: (request) => (request.to === ringing ? ring(request) : inner.dial(request)) };
  },
};
/** Until the caller hangs up: the sandbox's own callee gives up while a busy machine still works through a burst. */
async function ring({ onEvent }: DialRequest): Promise<CarrierLeg> {
  onEvent({ type: "ringing" });
  return { hangUp: async () => {} };
}
// No page is near these calls, and a burst takes a busy machine longer than they would otherwise last.
const app = testAppWithCalls([sandbox, line], { unattendedMs: 600_000 });
const price = 20_000;
const speaking = "+12025550100";
/** Rings until the caller hangs up (ring below). */
const ringing = "+12025550119";

const setMode = (by: TestPerson, mode: "metered" | "prepaid") =>
  app.ask("PUT", "/v1/billing/mode", { token: by.token, body: { mode, currentPassword: by.password } });
const summaryOf = async (by: TestPerson): Promise<BillingSummary> =>
  (await app.ask("GET", "/v1/billing/summary", { token: by.token })).json();
const call = (by: TestPerson, phoneNumber: string) =>
  app.ask("POST", "/v1/calls", { token: by.token, body: { phoneNumber } });
const get = async (by: TestPerson, callSid: string): Promise<Call> =>
  (await app.ask("GET", `/v1/calls/${callSid}`, { token: by.token })).json();
const hangUp = (by: TestPerson, callSid: string) =>
  app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: by.token });

async function newPrepaidRep(balanceMicros: number): Promise<Rep> {
  const rep = await newRep(app);
  const carrier = { kind, label: "Line", settings: { line: "1" }, pricePerMinute: price };
  await app.ask("POST", "/v1/carriers", { token: rep.token, body: carrier });
  expect((await setMode(rep, "prepaid")).json()).toMatchObject({ mode: "prepaid" });
  await adjustBalance(app.database, { ...rep, balanceMicros });
  return rep;
}

async function setAnswered(rep: Rep, callSid: string, secondsAgo: number): Promise<void> {
  await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx
      .updateTable("calls")
      .set({ answered_at: new Date(Date.now() - secondsAgo * 1000).toISOString() })
      .where("call_sid", "=", callSid)
      .execute(),
  );
}

describe("a prepaid organisation", () => {
  test("is enabled by its owner; new organisations are metered, and going back to metered takes the password", async () => {
    const owner = await newRep(app);
    const admin = await registerPerson(app);
    await joinOrganisation(app, admin, { organisationId: owner.organisationId, role: "admin" });
    expect(await summaryOf(owner)).toMatchObject({ mode: "metered" });
    expect((await setMode(admin, "prepaid")).statusCode).toBe(403);
    expect((await setMode(owner, "prepaid")).json()).toMatchObject({ mode: "prepaid", balanceMicros: 0 });
    const body = { mode: "metered" };
    const without = await app.ask("PUT", "/v1/billing/mode", { token: owner.token, body });
    expect(without.json().type).toBe("/api/docs#password-required");
    expect(await summaryOf(owner)).toMatchObject({ mode: "prepaid" });
    expect((await setMode(owner, "metered")).json()).toMatchObject({ mode: "metered" });
  });

  test("holds the first minute before a call is dialled, and pays the call's cost when it ends", async () => {
    const rep = await newPrepaidRep(100_000);
    const callSid = await dial(app, rep, speaking);
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    expect(await summaryOf(rep)).toMatchObject({ balanceMicros: 100_000, heldMicros: price });
    expect((await hangUp(rep, callSid)).json()).toMatchObject({ costMicros: price });
    expect(await summaryOf(rep)).toMatchObject({ balanceMicros: 80_000, heldMicros: 0, monthCostMicros: price });
    const unanswered = await dial(app, rep, ringing);
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: price });
    await hangUp(rep, unanswered);
    expect(await summaryOf(rep)).toMatchObject({ balanceMicros: 80_000, heldMicros: 0 });
  });

  test("is refused a call that its balance doesn't cover, and nothing is stored", async () => {
    const rep = await newPrepaidRep(price - 1);
    const refused = await call(rep, speaking);
    expect([refused.statusCode, refused.json().type, refused.json().detail]).toEqual([
      402,
      "/api/docs#balance-too-low",
      "Your organisation’s balance doesn’t cover the first minute of this call ($0.02). Top up under Settings, Billing, or ask an owner or admin to.",
    ]);
    expect((await app.ask("GET", "/v1/calls", { token: rep.token })).json()).toEqual([]);
    await setMode(rep, "metered");
    const metered = await call(rep, ringing);
    expect(metered.statusCode).toBe(201);
    await hangUp(rep, metered.json().callSid);
  });

  test("can make calls that cost nothing even if its balance is below zero", async () => {
    const rep = await newPrepaidRep(-1);
    const [{ id }] = (await app.ask("GET", "/v1/carriers", { token: rep.token })).json();
    const free = { prefix: "1", effectiveFrom: "2000-01-01", ...flatRate(0), currentPassword: rep.password };
    expect((await app.ask("PUT", `/v1/carriers/${id}/rates`, { token: rep.token, body: free })).statusCode).toBe(200);
    const callSid = await dial(app, rep, speaking);
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    expect((await hangUp(rep, callSid)).json()).toMatchObject({ costMicros: 0 });
    expect(await summaryOf(rep)).toMatchObject({ balanceMicros: -1, heldMicros: 0 });
  });

  test("is refused a number whose price isn't known", async () => {
    const rep = await newPrepaidRep(1_000_000);
    const carriers = (await app.ask("GET", "/v1/carriers", { token: rep.token })).json();
    const { rates } = (await app.ask("GET", `/v1/carriers/${carriers[0].id}/rates`, { token: rep.token })).json();
    const body = { currentPassword: rep.password };
    expect((await app.ask("DELETE", `/v1/rates/${rates[0].id}`, { token: rep.token, body })).statusCode).toBe(204);
    expect((await call(rep, speaking)).json()).toMatchObject({
      type: "/api/docs#rate-unknown",
      detail: expect.stringContaining("An admin can add one under Settings, Carriers, Rates"),
    });
  });

  test("gets no more calls in a burst than its money and its limit allow", async () => {
    const rep = await newPrepaidRep(3 * price + 1);
    const limits = { concurrentCalls: 5, callsPerMinute: 1000, currentPassword: rep.password };
    expect((await app.ask("PUT", "/v1/limits", { token: rep.token, body: limits })).statusCode).toBe(200);
    const others = await Promise.all(Array.from({ length: 19 }, () => registerPerson(app)));
    for (const one of others) await joinOrganisation(app, one, { organisationId: rep.organisationId, role: "member" });
    const people = [rep, ...others];
    const burst = async () => {
      const asked = Array.from({ length: 200 }, (_, n) => call(people[n % people.length] ?? rep, ringing));
      return (await Promise.all(asked)).filter(({ statusCode }) => statusCode === 201).map((one) => one.json().callSid);
    };
    const paid = await burst();
    expect([paid.length, await summaryOf(rep)]).toMatchObject([3, { heldMicros: 3 * price }]);
    for (const callSid of paid) for (const one of people) if ((await hangUp(one, callSid)).statusCode === 200) break;
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: 0, balanceMicros: 3 * price + 1 });
    await adjustBalance(app.database, { ...rep, balanceMicros: 8 * price });
    const capped = await burst();
    expect([capped.length, await summaryOf(rep)]).toMatchObject([5, { heldMicros: 5 * price }]);
    for (const callSid of capped) for (const one of people) if ((await hangUp(one, callSid)).statusCode === 200) break;
  });
});

describe("a prepaid consultation and conference", () => {
  const consult = (by: TestPerson, callSid: string, phoneNumber: string) =>
    app.ask("POST", `/v1/calls/${callSid}/consultation`, { token: by.token, body: { phoneNumber } });

  test("holds and pays for each leg separately", async () => {
    const rep = await newPrepaidRep(10 * price);
    const first = await dial(app, rep, speaking);
    await waitForStatus(app, rep, { callSid: first, status: "in-progress" });
    const second: string = (await consult(rep, first, "+12025550101")).json().callSid;
    await waitForStatus(app, rep, { callSid: second, status: "in-progress" });
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: 2 * price });
    const joined = await app.ask("POST", `/v1/calls/${first}/join`, { token: rep.token });
    expect(joined.statusCode).toBe(200);
    expect((await hangUp(rep, second)).json()).toMatchObject({ costMicros: price });
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: price, balanceMicros: 9 * price });
    expect((await hangUp(rep, first)).json()).toMatchObject({ costMicros: price });
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: 0, balanceMicros: 8 * price });
    const { entries } = (await app.ask("GET", "/v1/billing/entries?kind=call", { token: rep.token })).json();
    expect(entries).toMatchObject([
      { callSid: first, amountMicros: -price },
      { callSid: second, amountMicros: -price },
    ]);
  });

  test("is refused a second leg that the balance doesn't cover, and the first call continues", async () => {
    const rep = await newPrepaidRep(price);
    const first = await dial(app, rep, speaking);
    await waitForStatus(app, rep, { callSid: first, status: "in-progress" });
    expect((await consult(rep, first, "+12025550101")).statusCode).toBe(402);
    expect(await get(rep, first)).toMatchObject({ status: "in-progress", held: false });
    await hangUp(rep, first);
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: 0, balanceMicros: 0 });
  });
});

describe("a prepaid call", () => {
  test("holds its next minute before that begins, is warned when none is left, and ends with the money", async () => {
    const rep = await newPrepaidRep(2 * price);
    // Without an open tab the call would end after 15 s.
    const stream = await openEventStream(await app.http.listen({ port: 0, host: "127.0.0.1" }), rep);
    const callSid = await dial(app, rep, speaking);
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    await setAnswered(rep, callSid, 50);
    await expect.poll(async () => (await summaryOf(rep)).heldMicros).toBe(2 * price);
    await expect.poll(async () => (await get(rep, callSid)).cutOff?.reason).toBe("balance-used-up");
    await setAnswered(rep, callSid, 110);
    await waitForStatus(app, rep, { callSid, status: "completed", timeoutMs: 30_000 });
    const ended = await get(rep, callSid);
    expect(ended).toMatchObject({ cause: { reason: "balance-used-up" }, cutOff: null });
    expect(await summaryOf(rep)).toMatchObject({ heldMicros: 0, monthCostMicros: ended.costMicros });
    stream.close();
  });

  test("left by a killed process pays its cost; what the balance doesn't cover is written off", async () => {
    const rep = await newPrepaidRep(price);
    const { organisationId } = rep;
    const callSid = `CA${randomUUID().replaceAll("-", "")}`;
    const answeredAtMs = Date.now() - 3_600_000;
    await app.database.withTransaction({ organisationId }, async (tx) => {
      const written = {
        call_sid: callSid,
        organisation_id: organisationId,
        user_id: rep.id,
        direction: "outbound" as const,
        status: "in-progress" as const,
        answered_at: new Date(answeredAtMs).toISOString(),
        seen_at: new Date(answeredAtMs + 150_000).toISOString(),
        phone_number: speaking,
        phone_number_typed: speaking,
        carrier: kind,
        rate: JSON.stringify(flatRate(price)),
        process_key: 0,
      };
      await tx.insertInto("calls").values(written).execute();
      await holdForNewCall(tx, { organisationId, callSid, rate: flatRate(price) });
      await endCallAsSeen(tx, callSid, { reason: "server-restarted", neverDialled: false });
    });
    // Another process may be about to extend the hold.
    expect(await extendHold(app.database, { organisationId, callSid, amountMicros: 9 * price })).toBe(true);
    expect(await summaryOf(rep)).toMatchObject({ balanceMicros: 0, heldMicros: 0, monthCostMicros: 3 * price });
    const { entries } = (await app.ask("GET", "/v1/billing/entries?kind=call", { token: rep.token })).json();
    expect(entries).toMatchObject([
      { account: "write-off", amountMicros: -2 * price, callSid },
      { account: "balance", amountMicros: -price, callSid },
    ]);
  });
});

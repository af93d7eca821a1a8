import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DialRequest } from "@leadline/adapter-kit/carrier";
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from "vitest";
import { createExclusiveRunner } from "../../db/create-exclusive-runner.ts";
import { ledgerCarrier, readLedger } from "../../testing/ledger-carrier.ts";
import { numberDepsOf } from "../../testing/number-deps-of.ts";
import { adjustBalance } from "../../testing/set-balance.ts";
import { dial, newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import { openCarriers, type OpenCarriers } from "../carriers/open-carriers.ts";
import { insertOrder } from "./phone-numbers.table.ts";
import { resumeOrders } from "./resume-orders.ts";

const folder = mkdtempSync(join(tmpdir(), "leadline-ledger-"));
const file = join(folder, "ledger");
// The database is shared with other suites; this carrier's orders are only this one's.
const carrierId = `ledger-${randomUUID()}`;
let [answers, searches] = [true, true];
/** For numbers whose reply waits, or gets lost. */
let beforeReply: ((number: string) => void | Promise<void>) | null = null;
const dialled: DialRequest[] = [];
const carrier = ledgerCarrier({
  id: carrierId,
  file,
  beforeAnswer(number) {
    if (!answers) throw new Error("the connection was lost");
    return beforeReply?.(number);
  },
  beforeSearch() {
    if (!searches) throw new Error("the connection was lost");
  },
  onDial: (request) => dialled.push(request),
});
const otherCarrier = ledgerCarrier({ id: `other-${carrierId}`, file });
const app = testAppWithCalls([carrier]);
let carriers: OpenCarriers;
beforeAll(async () => {
  carriers = await openCarriers([carrier, otherCarrier]);
});
beforeEach(() => {
  [answers, searches] = [true, true];
  beforeReply = null;
});
afterAll(async () => {
  await carriers.close();
  rmSync(folder, { recursive: true, force: true });
});

const resume = () => resumeOrders(numberDepsOf({ database: app.database, carriers }), { olderThanMs: 0 });
const buy = (rep: Rep, number: string, idempotencyKey = randomUUID()) =>
  app.ask("POST", "/v1/phone-numbers", {
    token: rep.token,
    body: { number },
    headers: { "idempotency-key": idempotencyKey },
  });
const list = async (rep: Rep) => (await app.ask("GET", "/v1/phone-numbers", { token: rep.token })).json();
const charges = (number: string) => readLedger(file).filter((line) => line.startsWith(`charged ${number}`));

test("a process killed between the carrier's charge and our record leaves the number bought, once", async () => {
  const [rep, other] = [await newRep(app), await newRep(app)];
  const number = "+442079460801";
  const idempotencyKey = randomUUID();
  const purchase = { databaseUrl: inject("databaseUrl"), userId: rep.id, carrierId, number, idempotencyKey, file };
  const script = fileURLToPath(new URL("../../testing/dying-buyer-worker.ts", import.meta.url));
  const buyer = spawn(process.execPath, [script, JSON.stringify({ ...purchase, organisationId: rep.organisationId })], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await once(buyer, "exit")).toEqual([null, "SIGKILL"]);

  expect(charges(number)).toHaveLength(1);
  expect(await list(rep)).toEqual([]);
  expect((await buy(other, number)).json()).toMatchObject({ status: 409, type: "/api/docs#number-taken" });

  await Promise.all([resume(), resume()]);
  expect(await list(rep)).toMatchObject([{ number, isCallerId: true, monthlyCost: 1_000_000 }]);
  const again = await buy(rep, number, idempotencyKey);
  expect([again.statusCode, again.json()]).toEqual([201, (await list(rep))[0]]);
  expect(charges(number)).toHaveLength(1);
});

test("a carrier that charges and loses its response says so, and the number arrives by itself", async () => {
  const rep = await newRep(app);
  const number = "+442079460802";
  answers = false;
  const failed = await buy(rep, number);
  expect(failed.json()).toMatchObject({ status: 502, type: "/api/docs#carrier-unreachable" });
  expect(failed.json().detail).toContain("It won’t be bought twice.");
  expect(await list(rep)).toEqual([]);
  await resume();
  expect(await list(rep)).toEqual([]);
  answers = true;
  await resume();
  expect(await list(rep)).toMatchObject([{ number }]);
  expect(charges(number)).toHaveLength(1);
});

test("a retry by the buyer also completes an unfinished purchase", async () => {
  const rep = await newRep(app);
  const number = "+442079460803";
  const idempotencyKey = randomUUID();
  answers = false;
  expect((await buy(rep, number, idempotencyKey)).statusCode).toBe(502);
  answers = true;
  expect((await buy(rep, number, idempotencyKey)).statusCode).toBe(201);
  expect(charges(number)).toHaveLength(1);
});

async function newPrepaidRep(balanceMicros: number): Promise<Rep> {
  const rep = await newRep(app);
  await app.ask("PUT", "/v1/billing/mode", { token: rep.token, body: { mode: "prepaid" } });
  await adjustBalance(app.database, { ...rep, balanceMicros });
  return rep;
}

test("a retry of a prepaid purchase while the carrier can't be reached doesn't say that nothing was bought", async () => {
  const rep = await newPrepaidRep(1_000_000);
  const number = "+442079460808";
  const idempotencyKey = randomUUID();
  searches = false;
  expect((await buy(rep, number, idempotencyKey)).json().detail).toContain("so nothing was bought");
  [answers, searches] = [false, true];
  expect((await buy(rep, number, idempotencyKey)).json().detail).toContain("It won’t be bought twice.");
  searches = false;
  expect((await buy(rep, number, idempotencyKey)).json().detail).toContain("It won’t be bought twice.");
  answers = true;
  expect((await buy(rep, number, idempotencyKey)).statusCode).toBe(201);
  expect(charges(number)).toHaveLength(1);
});

test("a prepaid organisation can't buy a number whose price the carrier doesn't list", async () => {
  const rep = await newPrepaidRep(1_000_000);
  const number = "+442079469809";
  expect((await buy(rep, number)).json()).toMatchObject({ status: 409, type: "/api/docs#number-taken" });
  expect(charges(number)).toEqual([]);
});

test("a release that the carrier didn't confirm is repeated until it does", async () => {
  const [rep, other] = [await newRep(app), await newRep(app)];
  const number = "+442079460804";
  const { id } = (await buy(rep, number)).json();
  answers = false;
  const failed = await app.ask("DELETE", `/v1/phone-numbers/${id}`, { token: rep.token });
  expect(failed.json().detail).toContain("is off your list, and Leadline keeps trying to release it");
  expect(await list(rep)).toEqual([]);
  expect((await buy(other, number)).statusCode).toBe(409);
  answers = true;
  await resume();
  expect((await buy(other, number)).statusCode).toBe(201);
});

test("an order at a carrier that this installation no longer has stays open, and others continue", async () => {
  const rep = await newRep(app);
  const number = "+442079460805";
  answers = false;
  await buy(rep, number);
  answers = true;
  const none = await openCarriers([]);
  await resumeOrders(numberDepsOf({ database: app.database, carriers: none }), { olderThanMs: 0 });
  expect(await list(rep)).toEqual([]);
  await resume();
  expect(await list(rep)).toMatchObject([{ number }]);
});

/** Purchases that a killed process left, oldest first. */
async function leaveOrders({ organisationId, id }: Rep, numbers: readonly string[], carrierOf = carrierId) {
  await app.database.withTransaction({ organisationId }, async (tx) => {
    const order = { organisationId, orderedBy: id, carrier: carrierOf, isOfSandbox: false };
    const shared = { ...order, idempotencyKey: null, requestHash: null };
    for (const number of numbers) await insertOrder(tx, { ...shared, id: randomUUID(), number });
  });
}

test("orders that stay open let those behind them finish, first another organisation's", async () => {
  const [rep, behind] = [await newRep(app), await newRep(app)];
  const stuck = Array.from({ length: 104 }, (_, index) => `+442079461${String(index).padStart(3, "0")}`);
  await leaveOrders(rep, [...stuck, "+442079462001"]);
  await leaveOrders(behind, ["+442079462002"]);
  beforeReply = (number) => {
    if (stuck.includes(number)) throw new Error("the connection was lost");
  };
  await resume();
  expect(await list(behind)).toMatchObject([{ number: "+442079462002" }]);
  expect(await list(rep)).toEqual([]);
  for (let asked = 5; asked < 105; asked += 5) await resume();
  expect(await list(rep)).toMatchObject([{ number: "+442079462001" }]);
});

test("a carrier that is silent about one organisation's order delays no other organisation, and no other carrier", async () => {
  const [rep, neighbour, elsewhere] = [await newRep(app), await newRep(app), await newRep(app)];
  const deps = {
    ...numberDepsOf({ database: app.database, carriers }),
    runExclusively: createExclusiveRunner({ tryHold: async () => true, release: async () => {} }),
  };
  const silent = Promise.withResolvers<void>();
  beforeReply = (number) => (number === "+442079463001" ? silent.promise : undefined);
  await leaveOrders(rep, ["+442079463001"]);
  await leaveOrders(neighbour, ["+442079463002"]);
  const pass = resumeOrders(deps, { olderThanMs: 0 });
  await vi.waitFor(async () => expect(await list(neighbour)).toMatchObject([{ number: "+442079463002" }]));
  await leaveOrders(elsewhere, ["+442079463003"], otherCarrier.id);
  await resumeOrders(deps, { olderThanMs: 0 });
  expect(await list(elsewhere)).toMatchObject([{ number: "+442079463003" }]);
  expect(await list(rep)).toEqual([]);
  silent.resolve();
  await pass;
  expect(await list(rep)).toMatchObject([{ number: "+442079463001" }]);
});

test("calls show the organisation's caller ID, and none if it has no number", async () => {
  const [rep, without] = [await newRep(app), await newRep(app)];
  const callerIdOf = async (person: Rep) => {
    const callSid = await dial(app, person, "+12025550100");
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: person.token });
    return dialled.find((request) => request.callSid === callSid)?.callerId;
  };
  await buy(rep, "+442079460806");
  const { id } = (await buy(rep, "+442079460807")).json();
  expect(await callerIdOf(rep)).toBe("+442079460806");
  await app.ask("PUT", `/v1/phone-numbers/${id}`, { token: rep.token, body: { isCallerId: true } });
  expect(await callerIdOf(rep)).toBe("+442079460807");
  expect(await callerIdOf(without)).toBeNull();
});

import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import type { Database } from "../../../db/database.ts";
import { createLog } from "../../../log.ts";
import { flatRate } from "../../../testing/flat-rate.ts";
import { newRep, readCall, testAppWithCalls } from "../../../testing/test-calls.ts";
import { endAbandonedCalls } from "./end-abandoned-calls.ts";
import { insertTransfer } from "../call-transfers.table.ts";
import { createLiveCalls } from "../live-calls.ts";
import type { CallDeps } from "../call-deps.ts";
import { watchLiveCalls } from "./watch-live-calls.ts";
import { createRingingCalls } from "../inbound/ringing-calls.ts";
import { openCarriers, type OpenCarriers } from "../../carriers/open-carriers.ts";

const app = testAppWithCalls();
let carriers: OpenCarriers;
beforeAll(async () => {
  carriers = await openCarriers(carrierModules);
});
afterAll(() => carriers.close());

const asOnlyLiveCallsAre = {
  held: true,
  held_by_them: true,
  media_connection_id: crypto.randomUUID(),
  cut_off_at: new Date().toISOString(),
  cut_off_reason: "call-length-limit",
} as const;

/** A row as left by a process that is killed during a call, with a transfer under way if the call was answered. */
async function leaveCall(seconds: {
  answeredAgo: number | null;
  seenAgo: number;
  processSeenAgo?: number;
  /** Of the process that carries it, if it isn't one that has ended. */
  carriedBy?: number;
}) {
  const rep = await newRep(app);
  const { organisationId } = rep;
  const callSid = `CA${crypto.randomUUID().replaceAll("-", "")}`;
  const key = crypto.randomUUID();
  const nowMs = Date.now();
  const ago = (secondsAgo: number) => new Date(nowMs - secondsAgo * 1000).toISOString();
  const transfer = { organisationId, callSid, phoneNumber: "+12025550104", phoneNumberTyped: "555 0104", leadId: null };
  const { processSeenAgo } = seconds;
  const processKey = seconds.carriedBy ?? (processSeenAgo === undefined ? 0 : randomInt(2, 2 ** 31));
  if (processSeenAgo !== undefined)
    await app.database.withTransaction({ system: "a process belongs to no organisation" }, (tx) =>
      tx
        .insertInto("processes")
        .values({ process_key: processKey, seen_at: ago(processSeenAgo) })
        .execute(),
    );
  await app.database.withTransaction({ organisationId }, async (tx) => {
    await tx
      .insertInto("calls")
      .values({
        call_sid: callSid,
        organisation_id: organisationId,
        user_id: rep.id,
        direction: "outbound",
        status: seconds.answeredAgo === null ? "ringing" : "in-progress",
        answered_at: seconds.answeredAgo === null ? null : ago(seconds.answeredAgo),
        seen_at: ago(seconds.seenAgo),
        phone_number: "+12025550100",
        phone_number_typed: "+12025550100",
        carrier: "sandbox",
        rate: JSON.stringify(flatRate(20_000)),
        process_key: processKey,
        idempotency_key: key,
        request_hash: "of the request",
        ...(seconds.answeredAgo === null ? { waits_for: "Calls" } : asOnlyLiveCallsAre),
      })
      .execute();
    if (seconds.answeredAgo !== null) await insertTransfer(tx, transfer);
  });
  return { rep, callSid, key };
}

const anotherProcess = () => ({
  database: app.database,
  carriers,
  liveCalls: createLiveCalls(),
  ringingCalls: createRingingCalls(),
  processKey: 1,
  log: createLog("fatal"),
});

test("ends a killed process's call as of when it was last seen, with its transfer; an unanswered one has failed, and both keep their keys", async () => {
  const talking = await leaveCall({ answeredAgo: 7260, seenAgo: 7200 });
  const ringing = await leaveCall({ answeredAgo: null, seenAgo: 7200 });
  await endAbandonedCalls(anotherProcess(), { trustClock: false });
  const talked = await readCall(app, talking.rep, talking.callSid);
  expect(talked).toMatchObject({ status: "completed", cause: { reason: "server-restarted" } });
  const settled = { attended: false, member: null, status: "unknown", refusal: null, sip: null };
  expect(talked.transfer).toEqual({ phoneNumber: "+12025550104", leads: [], ...settled });
  expect(talked).toMatchObject({ durationMs: 60_000, costMicros: 20_000 });
  expect(talked).toMatchObject({ held: false, heldByThem: false, mediaConnectionId: null, cutOff: null });
  const rang = await readCall(app, ringing.rep, ringing.callSid);
  expect(rang).toMatchObject({ status: "failed", durationMs: 0, costMicros: 0, cause: { reason: "server-restarted" } });
  expect(rang.waitsFor).toBeNull();
  // Both may have rung the callee, so the same request must not dial again.
  for (const { rep, callSid, key } of [talking, ringing]) {
    const { organisationId } = rep;
    const row = await app.database.withTransaction({ organisationId }, (tx) =>
      tx.selectFrom("calls").select("idempotency_key").where("call_sid", "=", callSid).executeTakeFirst(),
    );
    expect(row).toEqual({ idempotency_key: key });
  }
});

test("a killed process's call lasts until its process was last seen, even if the call itself was marked earlier", async () => {
  const { rep, callSid } = await leaveCall({ answeredAgo: 7260, seenAgo: 7200, processSeenAgo: 7197 });
  await endAbandonedCalls(anotherProcess(), { trustClock: false });
  expect(await readCall(app, rep, callSid)).toMatchObject({ status: "completed", durationMs: 63_000 });
});

test("a stopping process waits for its watch, which would end the calls that it leaves for a restart", async () => {
  const processKey = randomInt(2, 2 ** 31);
  const { rep, callSid } = await leaveCall({ answeredAgo: 60, seenAgo: 0, carriedBy: processKey });
  await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx
      .updateTable("calls")
      .set({ created_at: new Date(Date.now() - 60_000).toISOString() })
      .where("call_sid", "=", callSid)
      .execute(),
  );
  const carried = [{ callSid }];
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const withTransaction: Database["withTransaction"] = async (scope, work) => {
    begun.resolve();
    await released.promise;
    return app.database.withTransaction(scope, work);
  };
  const database = { ...app.database, withTransaction };
  const deps = { ...anotherProcess(), database, processKey, ringingCalls: { all: () => carried } };
  const stop = watchLiveCalls(deps as unknown as CallDeps);
  await begun.promise;
  const left = stop().then(() => carried.pop());
  released.resolve();
  await left;
  expect(await readCall(app, rep, callSid)).toMatchObject({ status: "in-progress" });
});

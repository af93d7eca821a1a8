import { randomInt, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createLog } from "../../../log.ts";
import { createSealer } from "../../../seal-secrets.ts";
import type { Tx } from "../../../db/transaction.ts";
import { newRep, type Rep, testAppWithCalls } from "../../../testing/test-calls.ts";
import { createLiveCalls } from "../live-calls.ts";
import { leaveForRestart, saveForRestart } from "./save-for-restart.ts";
import { claimOrphanedCall, listOrphanedCalls, writeSnapshot } from "./call-snapshots.table.ts";

const app = testAppWithCalls();

/** A row as left by a process that is killed during a call, inside the transaction so that nobody resumes it. */
async function leaveCall(tx: Tx, rep: Rep, left: { line: 1 | 2; processKey: number; seenAgoMs: number }) {
  const callSid = `CA${randomUUID().replaceAll("-", "")}`;
  const nowMs = Date.now();
  await tx
    .insertInto("calls")
    .values({
      call_sid: callSid,
      organisation_id: rep.organisationId,
      user_id: rep.id,
      direction: "outbound",
      status: "in-progress",
      answered_at: new Date(nowMs - 7_200_000).toISOString(),
      seen_at: new Date(nowMs - left.seenAgoMs).toISOString(),
      line: left.line,
      phone_number: "+12025550100",
      phone_number_typed: "+12025550100",
      carrier: "sandbox",
      process_key: left.processKey,
      remembered: JSON.stringify("sealed"),
    })
    .execute();
  return callSid;
}

test("one person's calls are resumed together, once each has been silent for long enough", async () => {
  const [one, other] = [await newRep(app), await newRep(app)];
  const processKey = randomInt(1, 2 ** 31 - 1);
  const hourMs = 3_600_000;
  const listed = await app.database.withTransaction({ system: "leave calls" }, async (tx) => {
    await leaveCall(tx, one, { line: 1, processKey, seenAgoMs: hourMs });
    await leaveCall(tx, one, { line: 2, processKey, seenAgoMs: 0 });
    const alone = await leaveCall(tx, other, { line: 1, processKey, seenAgoMs: hourMs });
    const list = (silentForMs: number) => listOrphanedCalls(tx, { livingProcesses: [], processKey: 0, silentForMs });
    const ofProcess = async (silentForMs: number) =>
      (await list(silentForMs)).flatMap((call) => (call.processKey === processKey ? call.callSid : []));
    return { alone, early: await ofProcess(hourMs / 2), late: await ofProcess(0) };
  });
  expect(listed.early).toEqual([listed.alone]);
  expect(listed.late).toHaveLength(3);
});

test("only the process that carries a call writes its snapshot", async () => {
  const rep = await newRep(app);
  const processKey = randomInt(1, 2 ** 31 - 1);
  const kept = await app.database.withTransaction({ system: "leave a call" }, async (tx) => {
    const callSid = await leaveCall(tx, rep, { line: 1, processKey, seenAgoMs: 0 });
    const keptAfter = async (by: number) => {
      await writeSnapshot(tx, { callSid, processKey: by, snapshot: JSON.stringify(`by ${by}`) });
      const row = await tx.selectFrom("calls").select("remembered").where("call_sid", "=", callSid).executeTakeFirst();
      return row?.remembered;
    };
    return [await keptAfter(processKey - 1), await keptAfter(processKey)];
  });
  expect(kept).toEqual(["sealed", `by ${processKey}`]);
});

test("the snapshot left for the next process isn't overwritten later", async () => {
  const rep = await newRep(app);
  const processKey = randomInt(1, 2 ** 31 - 1);
  const remembered = await app.database.withTransaction({ system: "leave a call" }, async (tx) => {
    const callSid = await leaveCall(tx, rep, { line: 1, processKey, seenAgoMs: 0 });
    const liveCalls = createLiveCalls();
    const live = liveCalls.begin({
      callSid,
      organisationId: rep.organisationId,
      userId: rep.id,
      carrierId: "trunk",
      carrierLegId: "far-end",
      connection: null,
      startedAtMs: performance.now(),
    });
    let isLeft = false;
    live.status = "in-progress";
    live.leg = {
      hangUp: async () => {},
      snapshot: () => (isLeft ? null : { dialog: "at the carrier" }),
      leave: () => void (isLeft = true),
    };
    const deps = {
      database: { withTransaction: <T>(_scope: unknown, work: (tx: Tx) => Promise<T>) => work(tx) },
      mediaPlane: { snapshot: () => ({ node: "that carries the sound" }) },
      liveCalls,
      processKey,
      sealer: createSealer(() => Buffer.alloc(32), "remembered-calls"),
      log: createLog("fatal"),
    };
    await Promise.all([saveForRestart(deps, live), leaveForRestart(deps, live), saveForRestart(deps, live)]);
    await saveForRestart(deps, live);
    const row = await tx.selectFrom("calls").select("remembered").where("call_sid", "=", callSid).executeTakeFirst();
    return row?.remembered;
  });
  expect(remembered).not.toBeNull();
});

test("only one of two processes resumes a call", async () => {
  const rep = await newRep(app);
  const processKey = randomInt(1, 2 ** 31 - 10);
  const claims = await app.database.withTransaction({ system: "leave a call" }, async (tx) => {
    const callSid = await leaveCall(tx, rep, { line: 1, processKey, seenAgoMs: 3_600_000 });
    const left = await listOrphanedCalls(tx, { livingProcesses: [], processKey: 0, silentForMs: 0 });
    const found = left.find((call) => call.callSid === callSid);
    if (!found) throw new Error("the call that was left is not found");
    return [await claimOrphanedCall(tx, found, processKey + 1), await claimOrphanedCall(tx, found, processKey + 2)];
  });
  expect(claims).toEqual([true, false]);
});

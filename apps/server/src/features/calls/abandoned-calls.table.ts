import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import { sql } from "kysely";
import { costAfter } from "../../db/cost-of-call.ts";
import type { Tx } from "../../db/transaction.ts";
import { endedFields, findCall, type StoredCall } from "./calls.table.ts";

export async function markCallsSeen(tx: Tx, callSids: readonly string[]): Promise<void> {
  await tx
    .updateTable("calls")
    .set({ seen_at: sql<string>`clock_timestamp()`, resumed_unseen: false })
    .where("call_sid", "in", callSids)
    .execute();
}

const silentFor = sql<boolean>`seen_at < clock_timestamp() - interval '60 seconds'`;
/**
 * A process carries a call from before its row is committed until after its end, so a young row may still be
 * uncommitted elsewhere.
 */
const notOnItsWay = sql<boolean>`created_at < clock_timestamp() - interval '10 seconds'`;

/** The callSids of live rows, of all organisations, that no process carries (see end-abandoned-calls.ts). */
export async function listAbandonedCalls(
  tx: Tx,
  known: { livingProcesses: number[]; processKey: number; carried: string[]; trustClock: boolean },
): Promise<string[]> {
  const { livingProcesses, processKey, carried, trustClock } = known;
  const rows = await tx
    .selectFrom("calls")
    .select("call_sid")
    .where("ended_at", "is", null)
    .where((row) =>
      row.or([
        row.and([
          row("process_key", "not in", [processKey, ...livingProcesses]),
          row.or([row("remembered", "is", null), silentFor]),
        ]),
        row.and([
          row("process_key", "=", processKey),
          notOnItsWay,
          ...(carried.length > 0 ? [row("call_sid", "not in", carried)] : []),
        ]),
        ...(trustClock ? [row.and([row("process_key", "!=", processKey), silentFor])] : []),
      ]),
    )
    .execute();
  return rows.map(({ call_sid }) => call_sid);
}

/** When its process last marked it alive, every second; for a call that was only resumed, when the former process did. */
export const lastSeen = sql<string>`greatest(calls.seen_at, case when not calls.resumed_unseen then (
  select processes.seen_at from processes where processes.process_key = calls.process_key) end)`;
const endedAt = sql<string>`greatest(${lastSeen}, answered_at)`;
const durationMs = sql<number>`coalesce(extract(epoch from ${endedAt} - answered_at) * 1000, 0)::int`;

/**
 * Ends a live call as of when it was last seen, with a duration by the database's clock. Its idempotency key stays
 * taken, because the callee may have been rung. With `neverDialled` the same request may dial again.
 */
export async function endCallAsSeen(
  tx: Tx,
  callSid: string,
  { reason, neverDialled }: { reason: HangUpCause["reason"]; neverDialled: boolean },
): Promise<StoredCall | null> {
  const ended = await tx
    .updateTable("calls")
    .set({
      revision: sql<number>`revision + 1`,
      status: sql<CallStatus>`case when answered_at is null then 'failed' else 'completed' end`,
      ended_at: endedAt,
      duration_ms: durationMs,
      cost_micros: costAfter(durationMs),
      reason,
      ...endedFields,
      ...(neverDialled && { idempotency_key: null }),
    })
    .where("call_sid", "=", callSid)
    .where("ended_at", "is", null)
    .returning("call_sid")
    .executeTakeFirst();
  return ended ? findCall(tx, callSid) : null;
}

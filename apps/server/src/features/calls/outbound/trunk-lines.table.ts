import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

export interface TrunkLineTable {
  carrier_id: string;
  organisation_id: string;
  /** When the next new call may be placed. */
  next_call_at: string;
}

/** The carrier's limits. Null: no known limit. */
export interface LineLimits {
  callsPerSecond: number | null;
  channels: number | null;
}

/** Slightly slower than allowed, because two calls can get closer together on the network. */
const caution = 1.1;

/**
 * Takes one of the carrier's lines and returns in how many milliseconds the call may be placed. Null if every line is
 * taken. Concurrent requests, in all processes, take turns.
 */
export async function takeLine(
  tx: Tx,
  which: { organisationId: string; carrierId: string; callSid: string; limits: LineLimits },
): Promise<{ waitMs: number } | null> {
  const { organisationId, carrierId, callSid, limits } = which;
  await sql`
    insert into trunk_lines (carrier_id, organisation_id) values (${carrierId}, ${organisationId})
    on conflict (carrier_id) do nothing`.execute(tx);
  await sql`select 1 from trunk_lines where carrier_id = ${carrierId} for update`.execute(tx);
  if (limits.channels !== null && (await countLines(tx, which)) >= limits.channels) return null;
  const pauseMs = limits.callsPerSecond === null ? 0 : (caution * 1_000) / limits.callsPerSecond;
  const { rows } = await sql<{ wait_ms: number }>`
    update trunk_lines
    set next_call_at = greatest(next_call_at, clock_timestamp()) + ${pauseMs} * interval '1 millisecond'
    where carrier_id = ${carrierId}
    returning (extract(epoch from next_call_at - clock_timestamp()) * 1000 - ${pauseMs})::float8 as wait_ms`.execute(
    tx,
  );
  await tx
    .updateTable("calls")
    .set({ has_line: true })
    .where("organisation_id", "=", organisationId)
    .where("call_sid", "=", callSid)
    .execute();
  return { waitMs: Math.max(0, rows[0]?.wait_ms ?? 0) };
}

async function countLines(
  tx: Tx,
  { organisationId, carrierId, callSid }: { organisationId: string; carrierId: string; callSid: string },
): Promise<number> {
  const { count } = await tx
    .selectFrom("calls")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .where("carrier_connection_id", "=", carrierId)
    .where("ended_at", "is", null)
    .where("has_line", "=", true)
    .where("call_sid", "<>", callSid)
    .executeTakeFirstOrThrow();
  return Number(count);
}

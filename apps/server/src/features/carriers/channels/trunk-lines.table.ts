import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

export interface TrunkLineTable {
  carrier_id: string;
  organisation_id: string;
  /** When the next new call may be placed. */
  next_call_at: string;
}

/** A channel that no call in the log has: that of a verification, or of a transfer's target. */
export interface TrunkLineHoldTable {
  id: string;
  carrier_id: string;
  organisation_id: string;
  /** It is free by then, even if its process has crashed. */
  held_until: string;
}

/** A call in the log, or another use of a channel for a limited time. */
export type ChannelUser = { callSid: string } | { holdId: string; seconds: number };

interface TakeChannel {
  organisationId: string;
  carrierId: string;
  user: ChannelUser;
  /** Simultaneous calls. Null: no known limit. */
  channels: number | null;
  /** Between two new calls. */
  gapMs: number;
  /** Null is returned rather than a turn later than that. */
  maxWaitMs: number;
}

/**
 * Takes one of the carrier's channels and returns in how many milliseconds the call may be placed. Null if every channel is
 * taken, or the next turn is too late. Concurrent requests, in all processes, take turns.
 */
export async function takeChannel(tx: Tx, asked: TakeChannel): Promise<{ waitMs: number } | null> {
  const { organisationId, carrierId, user, channels, gapMs, maxWaitMs } = asked;
  await sql`
    insert into trunk_lines (carrier_id, organisation_id) values (${carrierId}, ${organisationId})
    on conflict (carrier_id) do nothing`.execute(tx);
  await sql`select 1 from trunk_lines where carrier_id = ${carrierId} for update`.execute(tx);
  if (channels !== null && (await countChannels(tx, asked)) >= channels) return null;
  const { rows } = await sql<{ wait_ms: number }>`
    update trunk_lines
    set next_call_at = greatest(next_call_at, clock_timestamp()) + ${gapMs} * interval '1 millisecond'
    where carrier_id = ${carrierId}
      and next_call_at <= clock_timestamp() + ${maxWaitMs} * interval '1 millisecond'
    returning (extract(epoch from next_call_at - clock_timestamp()) * 1000 - ${gapMs})::float8 as wait_ms`.execute(tx);
  const [turn] = rows;
  if (!turn) return null;
  if ("callSid" in user)
    await tx
      .updateTable("calls")
      .set({ has_line: true })
      .where("organisation_id", "=", organisationId)
      .where("call_sid", "=", user.callSid)
      .execute();
  else
    await sql`
      insert into trunk_line_holds (id, carrier_id, organisation_id, held_until)
      values (${user.holdId}, ${carrierId}, ${organisationId}, clock_timestamp() + ${user.seconds} * interval '1 second')
      on conflict (id) do nothing`.execute(tx);
  return { waitMs: Math.max(0, turn.wait_ms) };
}

/** Whether takeChannel would take one now. */
export async function hasFreeChannel(tx: Tx, asked: Omit<TakeChannel, "gapMs">): Promise<boolean> {
  const { carrierId, channels, maxWaitMs } = asked;
  if (channels !== null && (await countChannels(tx, asked)) >= channels) return false;
  const { rows } = await sql`
    select 1 from trunk_lines
    where carrier_id = ${carrierId}
      and next_call_at > clock_timestamp() + ${maxWaitMs} * interval '1 millisecond'`.execute(tx);
  return rows.length === 0;
}

/**
 * Channels in use, and those that are due to calls in the log that have waited for one longer. A transfer goes first,
 * because its far end is on hold.
 */
async function countChannels(
  tx: Tx,
  { organisationId, carrierId, user }: Pick<TakeChannel, "organisationId" | "carrierId" | "user">,
): Promise<number> {
  const [ownCall, ownHold] = "callSid" in user ? [user.callSid, null] : [null, user.holdId];
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*) from calls
      where organisation_id = ${organisationId} and carrier_connection_id = ${carrierId} and ended_at is null
        and has_line and call_sid is distinct from ${ownCall}
    ) + (
      select count(*) from trunk_line_holds
      where organisation_id = ${organisationId} and carrier_id = ${carrierId} and held_until > clock_timestamp()
        and id is distinct from ${ownHold}::uuid
    ) + (
      select count(*) from calls waiting join calls own on waiting.id < own.id
      where own.call_sid = ${ownCall} and own.organisation_id = ${organisationId}
        and waiting.organisation_id = ${organisationId} and waiting.carrier_connection_id = ${carrierId}
        and waiting.ended_at is null and waiting.waits_for is not null and not waiting.has_line
    ) as count`.execute(tx);
  return Number(rows[0]?.count ?? 0);
}

/** Also removes those whose process was killed. */
export async function deleteHold(
  tx: Tx,
  { organisationId, carrierId, holdId }: { organisationId: string; carrierId: string; holdId: string },
): Promise<void> {
  await tx
    .deleteFrom("trunk_line_holds")
    .where("organisation_id", "=", organisationId)
    .where("carrier_id", "=", carrierId)
    .where((hold) => hold.or([hold("id", "=", holdId), hold("held_until", "<", sql<string>`clock_timestamp()`)]))
    .execute();
}

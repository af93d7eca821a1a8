import type { CallFlags } from "@leadline/contract/call-flags";
import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";
import { lastSeen } from "../abandoned-calls.table.ts";
import { flagColumns, toFlags } from "../calls-as-stored.table.ts";

/** Writes the snapshot unless the call has ended or belongs to another process. */
export async function writeSnapshot(
  tx: Tx,
  call: { callSid: string; processKey: number; snapshot: string | null },
): Promise<void> {
  await tx
    .updateTable("calls")
    .set({ remembered: call.snapshot })
    .where("call_sid", "=", call.callSid)
    .where("process_key", "=", call.processKey)
    .where("ended_at", "is", null)
    .execute();
}

export interface OrphanedCall {
  callSid: string;
  organisationId: string;
  userId: string;
  carrier: string;
  connectionId: string | null;
  processKey: number;
  mediaConnectionId: string | null;
  line: 1 | 2 | null;
  flags: CallFlags;
  held: boolean;
  /** A callSid. */
  joinedWith: string | null;
  answeredAgoMs: number;
  seenAgoMs: number;
  snapshot: unknown;
}

/** The latest seen_at of all live calls the person had in that process, because they are resumed together. */
const lastSeenOfPerson = sql<string>`(
  select max(beside.seen_at) from calls as beside
  where beside.user_id = calls.user_id and beside.process_key = calls.process_key and beside.ended_at is null)`;

/**
 * Answered calls of all organisations that can be resumed and whose process has ended and been silent for silentForMs.
 */
export async function listOrphanedCalls(
  tx: Tx,
  known: { livingProcesses: number[]; processKey: number; silentForMs: number },
): Promise<OrphanedCall[]> {
  const rows = await tx
    .selectFrom("calls")
    .select([
      "call_sid",
      "organisation_id",
      "user_id",
      "carrier",
      "carrier_connection_id",
      "process_key",
      "media_connection_id",
      "line",
      ...flagColumns,
      "held",
      "joined_with",
      "remembered",
    ])
    .select(sql<number>`extract(epoch from clock_timestamp() - answered_at) * 1000`.as("answered_ago_ms"))
    .select(sql<number>`extract(epoch from clock_timestamp() - ${lastSeen}) * 1000`.as("seen_ago_ms"))
    .where("status", "=", "in-progress")
    .where("remembered", "is not", null)
    .where("process_key", "not in", [known.processKey, ...known.livingProcesses])
    .where(sql<boolean>`${lastSeenOfPerson} <= clock_timestamp() - ${known.silentForMs} * interval '1 millisecond'`)
    .execute();
  return rows.flatMap((row) =>
    row.user_id === null
      ? []
      : [
          {
            callSid: row.call_sid,
            organisationId: row.organisation_id,
            userId: row.user_id,
            carrier: row.carrier,
            connectionId: row.carrier_connection_id,
            processKey: row.process_key,
            mediaConnectionId: row.media_connection_id,
            line: row.line,
            flags: toFlags(row),
            held: row.held,
            joinedWith: row.joined_with,
            answeredAgoMs: Number(row.answered_ago_ms),
            seenAgoMs: Number(row.seen_ago_ms),
            snapshot: row.remembered,
          },
        ],
  );
}

/** Claims the call for this process: true for only one of several. It stays unseen until its far end responds. */
export async function claimOrphanedCall(tx: Tx, call: OrphanedCall, processKey: number): Promise<boolean> {
  const claimed = await tx
    .updateTable("calls")
    .set({ process_key: processKey, seen_at: lastSeen, resumed_unseen: true })
    .where("call_sid", "=", call.callSid)
    .where("process_key", "=", call.processKey)
    .where("ended_at", "is", null)
    .returning("call_sid")
    .executeTakeFirst();
  return claimed !== undefined;
}

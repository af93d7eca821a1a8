import { type Generated, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { defaultKeepDays } from "./voicemail-settings.table.ts";

export interface VoicemailMessageTable {
  call_sid: string;
  organisation_id: string;
  /** recording: from just before the caller is answered until the call ends. */
  state: Generated<"recording" | "kept">;
  /** See file-store.ts; the file is stored before the row. */
  stored_name: string;
  duration_ms: Generated<number>;
  /** The process that is recording it (mark-process-alive.ts). */
  process_key: number;
  created_at: Generated<string>;
  heard_at: string | null;
}

export interface NewMessage {
  callSid: string;
  organisationId: string;
  storedName: string;
  processKey: number;
}

export async function insertMessage(tx: Tx, message: NewMessage): Promise<void> {
  const { callSid, organisationId, storedName, processKey } = message;
  await tx
    .insertInto("voicemail_messages")
    .values({ call_sid: callSid, organisation_id: organisationId, stored_name: storedName, process_key: processKey })
    .execute();
}

/** Heard messages, oldest first. */
export async function selectHeard(tx: Tx, organisationId: string): Promise<{ callSid: string; durationMs: number }[]> {
  const rows = await tx
    .selectFrom("voicemail_messages")
    .select(["call_sid", "duration_ms"])
    .where("organisation_id", "=", organisationId)
    .where("state", "=", "kept")
    .where("heard_at", "is not", null)
    .orderBy("created_at")
    .execute();
  return rows.map(({ call_sid, duration_ms }) => ({ callSid: call_sid, durationMs: duration_ms }));
}

export interface VoicemailUse {
  kept: number;
  keptMs: number;
  recording: number;
}

export async function readUse(tx: Tx, organisationId: string): Promise<VoicemailUse> {
  const { rows } = await sql<VoicemailUse>`
    select count(*) filter (where state = 'kept')::int as kept,
      coalesce(sum(duration_ms) filter (where state = 'kept'), 0)::int as "keptMs",
      count(*) filter (where state = 'recording')::int as recording
    from voicemail_messages where organisation_id = ${organisationId}`.execute(tx);
  return rows[0] ?? { kept: 0, keptMs: 0, recording: 0 };
}

/** Counts in the index that contains only new ones. */
export async function countNew(tx: Tx, organisationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from voicemail_messages
    where organisation_id = ${organisationId} and state = 'kept' and heard_at is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

export interface KeptMessage {
  storedName: string;
  durationMs: number;
}

/** Null if there is no stored message. */
export async function findMessage(
  tx: Tx,
  key: { organisationId: string; callSid: string },
): Promise<KeptMessage | null> {
  const row = await tx
    .selectFrom("voicemail_messages")
    .select(["stored_name", "duration_ms"])
    .where("organisation_id", "=", key.organisationId)
    .where("call_sid", "=", key.callSid)
    .where("state", "=", "kept")
    .executeTakeFirst();
  return row ? { storedName: row.stored_name, durationMs: row.duration_ms } : null;
}

/** False if it is gone because its organisation was deleted meanwhile. */
export async function keepMessage(tx: Tx, callSid: string, durationMs: number): Promise<boolean> {
  const changed = await tx
    .updateTable("voicemail_messages")
    .set({ state: "kept", duration_ms: durationMs })
    .where("call_sid", "=", callSid)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

export async function writeHeard(tx: Tx, callSid: string, heard: boolean): Promise<void> {
  await tx
    .updateTable("voicemail_messages")
    .set({ heard_at: heard ? sql<string>`coalesce(heard_at, clock_timestamp())` : null })
    .where("call_sid", "=", callSid)
    .execute();
}

/** Returns the stored names of those that existed. */
export async function deleteMessages(tx: Tx, callSids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom("voicemail_messages")
    .where("call_sid", "in", callSids)
    .returning("stored_name")
    .execute();
  return rows.map(({ stored_name }) => stored_name);
}

/**
 * Deletes up to `limit` messages past their organisation's retention time, in all organisations. Returns their stored
 * names.
 */
export async function deleteSomeOutdated(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ stored_name: string }>`
    delete from voicemail_messages where call_sid in (
      select m.call_sid from voicemail_messages m
      left join voicemail_settings s on s.organisation_id = m.organisation_id
      where m.state = 'kept'
        and m.created_at < clock_timestamp() - coalesce(s.keep_days, ${defaultKeepDays}) * interval '1 day'
      limit ${limit} for update of m)
    returning stored_name`.execute(tx);
  return rows.map(({ stored_name }) => stored_name);
}

/** Deletes up to `limit` messages of one organisation, in any state. Returns their stored names. */
export async function deleteSomeOfOrganisation(tx: Tx, organisationId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ stored_name: string }>`
    delete from voicemail_messages where call_sid in (
      select call_sid from voicemail_messages where organisation_id = ${organisationId} limit ${limit} for update)
    returning stored_name`.execute(tx);
  return rows.map(({ stored_name }) => stored_name);
}

export interface HalfRecorded {
  callSid: string;
  organisationId: string;
  storedName: string;
  isOld: boolean;
}

/** Messages of all organisations that no living process is recording. This process is recording only those given. */
export async function selectHalfRecorded(
  tx: Tx,
  known: { livingProcesses: readonly number[]; processKey: number; recordedHere: readonly string[] },
): Promise<HalfRecorded[]> {
  const rows = await tx
    .selectFrom("voicemail_messages")
    .select(["call_sid", "organisation_id", "stored_name"])
    .select(sql<boolean>`created_at < clock_timestamp() - interval '1 day'`.as("is_old"))
    .where("state", "=", "recording")
    .where((row) =>
      row.or([
        row("process_key", "not in", [known.processKey, ...known.livingProcesses]),
        row.and([row("process_key", "=", known.processKey), row("call_sid", "not in", ["", ...known.recordedHere])]),
      ]),
    )
    .execute();
  return rows.map((row) => ({
    callSid: row.call_sid,
    organisationId: row.organisation_id,
    storedName: row.stored_name,
    isOld: row.is_old,
  }));
}

export async function selectKnownMessages(tx: Tx, storedNames: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom("voicemail_messages")
    .select("stored_name")
    .where("stored_name", "in", storedNames)
    .execute();
  return rows.map(({ stored_name }) => stored_name);
}

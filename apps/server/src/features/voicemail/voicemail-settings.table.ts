import type { Greeting, UpdateVoicemailSettingsInput, VoicemailSettings } from "@leadline/contract/voicemail";
import { type Generated, sql } from "kysely";
import type { z } from "zod";
import type { Tx } from "../../db/transaction.ts";

export interface VoicemailSettingsTable {
  organisation_id: string;
  enabled: Generated<boolean>;
  ring_seconds: Generated<number>;
  keep_days: Generated<VoicemailSettings["keepDays"]>;
  /** Null: the default greeting. */
  greeting_id: string | null;
}
export interface VoicemailGreetingTable {
  id: string;
  organisation_id: string;
  /** The uploaded file's name. */
  name: string;
  /** A file in file-store.ts: WAV, 16 bits, 8 kHz, mono. */
  stored_name: string;
  duration_ms: number;
  created_at: Generated<string>;
}

export type OwnSettings = Pick<VoicemailSettings, "enabled" | "ringSeconds" | "keepDays" | "greetingId">;
/** The defaults, equal to the columns' own. */
const defaults: OwnSettings = { enabled: false, ringSeconds: 20, keepDays: 90, greetingId: null };
export const defaultKeepDays = defaults.keepDays;

export async function findSettings(tx: Tx, organisationId: string): Promise<OwnSettings> {
  const row = await tx
    .selectFrom("voicemail_settings")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .executeTakeFirst();
  if (!row) return defaults;
  const { enabled, ring_seconds, keep_days, greeting_id } = row;
  return { enabled, ringSeconds: ring_seconds, keepDays: keep_days, greetingId: greeting_id };
}

export async function writeSettings(
  tx: Tx,
  organisationId: string,
  change: z.output<typeof UpdateVoicemailSettingsInput>,
): Promise<void> {
  const set = {
    ...(change.enabled !== undefined && { enabled: change.enabled }),
    ...(change.ringSeconds !== undefined && { ring_seconds: change.ringSeconds }),
    ...(change.keepDays !== undefined && { keep_days: change.keepDays }),
    ...(change.greetingId !== undefined && { greeting_id: change.greetingId }),
  };
  if (Object.keys(set).length === 0) return;
  await tx
    .insertInto("voicemail_settings")
    .values({ organisation_id: organisationId, ...set })
    .onConflict((conflict) => conflict.column("organisation_id").doUpdateSet(set))
    .execute();
}

/** Makes the organisation's other calls, and changes of its greetings, wait until this transaction ends. */
export async function takeTurnAtVoicemail(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('voicemail:' || ${organisationId}, 0))`.execute(tx);
}

export async function insertGreeting(
  tx: Tx,
  organisationId: string,
  greeting: Greeting & { storedName: string },
): Promise<void> {
  const { id, name, storedName, durationMs } = greeting;
  await tx
    .insertInto("voicemail_greetings")
    .values({ id, organisation_id: organisationId, name, stored_name: storedName, duration_ms: durationMs })
    .execute();
}

/** Newest first. */
export async function selectGreetings(tx: Tx, organisationId: string): Promise<(Greeting & { storedName: string })[]> {
  const rows = await tx
    .selectFrom("voicemail_greetings")
    .select(["id", "name", "duration_ms", "stored_name"])
    .where("organisation_id", "=", organisationId)
    .orderBy("created_at", "desc")
    .execute();
  return rows.map(({ id, name, duration_ms, stored_name }) => ({
    id,
    name,
    durationMs: duration_ms,
    storedName: stored_name,
  }));
}

/** Deletes all but the one in use; returns their stored names. */
export async function deleteUnusedGreetings(tx: Tx, organisationId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom("voicemail_greetings")
    .where("organisation_id", "=", organisationId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("voicemail_settings")
            .select("organisation_id")
            .whereRef("voicemail_settings.greeting_id", "=", "voicemail_greetings.id"),
        ),
      ),
    )
    .returning("stored_name")
    .execute();
  return rows.map(({ stored_name }) => stored_name);
}

export async function selectKnownGreetings(tx: Tx, storedNames: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom("voicemail_greetings")
    .select("stored_name")
    .where("stored_name", "in", storedNames)
    .execute();
  return rows.map(({ stored_name }) => stored_name);
}

import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/**
 * For a transaction that erases a person: the audit log's triggers would record what is erased, and refuse to blank older
 * entries. Returns the settings for resumeAuditLog.
 */
export async function pauseAuditLog(tx: Tx): Promise<string> {
  const { rows } = await sql<{ audit: string | null }>`select current_setting('app.audit', true) as audit`.execute(tx);
  // A long audit log takes longer than other statements may.
  await sql`
    select set_config('app.audit', '', true), set_config('app.erases_person', 'on', true),
      set_config('statement_timeout', '120000', true)`.execute(tx);
  return rows[0]?.audit ?? "";
}

/** Without the address and browser of the person. */
export async function resumeAuditLog(tx: Tx, audit: string): Promise<void> {
  await sql`
    select set_config('app.audit', case when ${audit} = '' then ''
      else (${audit}::jsonb || '{"address": "", "userAgent": ""}')::text end, true)`.execute(tx);
}

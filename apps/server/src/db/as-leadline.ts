import { sql } from "kysely";
import { type LeadlineAction, leadlineContext } from "./audit-context.ts";
import type { Tx } from "./transaction.ts";

/**
 * Attributes what `work` changes to Leadline in the audit log, as one entry. If the transaction belongs to a person's
 * request, the changes remain that person's.
 */
export async function asLeadline<T>(tx: Tx, action: LeadlineAction, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql`
    select set_config('app.audit', ${JSON.stringify(leadlineContext(action))}, true)
    where coalesce(current_setting('app.audit', true), '') = ''`.execute(tx);
  const result = await work();
  if (rows.length > 0) await sql`select set_config('app.audit', '', true), finish_audit_entry()`.execute(tx);
  return result;
}

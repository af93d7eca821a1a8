import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import type { Merge } from "./merges.table.ts";

/** As the end of a call does. A call that is logged may have been written before. */
const insertActivities = (tx: Tx, { organisationId }: Merge, callSids: readonly string[]) =>
  sql`
    select insert_call_activity(calls, true) from calls
    where organisation_id = ${organisationId} and call_sid = any(${callSids}::text[])
      and not exists (select from call_activities where call_activities.call_sid = calls.call_sid)`.execute(tx);

/** Calls that waited for a choice among the merged leads are now the kept lead's. Returns these calls. */
export async function sortMovedCalls(tx: Tx, merge: Merge, callSids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ call_sid: string }>`
    delete from call_activities
    where organisation_id = ${merge.organisationId} and call_sid = any(${callSids}::text[]) and state = 'to-sort'
    returning call_sid`.execute(tx);
  const sorted = rows.map((row) => row.call_sid);
  await insertActivities(tx, merge, sorted);
  return sorted;
}

/** They wait for a choice again, unless they may already be in the CRM. Call it once the merged leads are shown again. */
export async function unsortMovedCalls(tx: Tx, merge: Merge, sorted: readonly string[]): Promise<void> {
  const { organisationId, keptId } = merge;
  await sql`
    delete from call_activities
    where organisation_id = ${organisationId} and call_sid = any(${sorted}::text[]) and lead_id = ${keptId}
      and state = 'waiting' and tries = 0 and external_id is null`.execute(tx);
  await insertActivities(tx, merge, sorted);
}

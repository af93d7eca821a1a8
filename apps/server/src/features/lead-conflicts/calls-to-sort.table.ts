import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import type { Merge, Moved } from "./merges.table.ts";

/** Calls that wait for a choice among leads with these leads' numbers. */
export async function selectCallsToSort(
  tx: Tx,
  { organisationId }: Merge,
  leadIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ call_sid: string }>`
    select call_sid from call_activities join calls using (call_sid)
    where call_activities.organisation_id = ${organisationId} and state = 'to-sort' and phone_number in (
      select phone_number from leads where organisation_id = ${organisationId} and id = any(${leadIds}::uuid[])
    )`.execute(tx);
  return rows.map((row) => row.call_sid);
}

/** Of the moved calls, those that this transaction has queued to be logged on the kept lead, which has got their number. */
export async function selectCallsJustQueued(
  tx: Tx,
  { organisationId, keptId }: Merge,
  { calls = [] }: Moved,
): Promise<string[]> {
  const { rows } = await sql<{ call_sid: string }>`
    select call_sid from call_activities
    where organisation_id = ${organisationId} and lead_id = ${keptId} and created_at >= now()
      and call_sid = any(${calls.map(([callSid]) => callSid)}::text[])`.execute(tx);
  return rows.map((row) => row.call_sid);
}

/** They wait for a choice again, unless they may already be in the CRM. Call it once the merged leads are shown again. */
export async function unsortMovedCalls(
  tx: Tx,
  { organisationId, keptId }: Merge,
  sorted: readonly string[],
): Promise<void> {
  await sql`
    delete from call_activities
    where organisation_id = ${organisationId} and call_sid = any(${sorted}::text[]) and lead_id = ${keptId}
      and state = 'waiting' and tries = 0 and external_id is null`.execute(tx);
  // As the end of a call does. A call that is logged may have been written before.
  await sql`
    select insert_call_activity(calls, true) from calls
    where organisation_id = ${organisationId} and call_sid = any(${sorted}::text[])
      and not exists (select from call_activities where call_activities.call_sid = calls.call_sid)`.execute(tx);
}

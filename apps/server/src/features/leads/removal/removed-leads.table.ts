import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";
import { seeRemovedLeads } from "../../../db/see-removed-leads.ts";
import { insertDeletedRecords } from "./erased-records.table.ts";

interface Removal {
  organisationId: string;
  removalId: string;
}

const count = ({ numAffectedRows }: { numAffectedRows?: bigint }): number => Number(numAffectedRows ?? 0n);

/** Hides these leads; returns how many. */
export async function hideLeads(
  tx: Tx,
  { organisationId, removalId }: Removal,
  ids: readonly string[],
): Promise<number> {
  await seeRemovedLeads(tx, "on");
  const hidden = await sql`
    update leads set removal_id = ${removalId}
    where organisation_id = ${organisationId} and id = any(${ids}::uuid[]) and removal_id is null`.execute(tx);
  await seeRemovedLeads(tx, "off");
  return count(hidden);
}

/** Shows some of them again; returns how many. */
export async function showSomeLeads(tx: Tx, { organisationId, removalId }: Removal, most: number): Promise<number> {
  await seeRemovedLeads(tx, "on");
  const shown = await sql`
    update leads set removal_id = null, last_called_at = last_call_of_lead(organisation_id, id, phone_number)
    where id in (
      select id from leads where organisation_id = ${organisationId} and removal_id = ${removalId} limit ${most}
    )`.execute(tx);
  await seeRemovedLeads(tx, "off");
  return count(shown);
}

/**
 * A lead stays for up to a day while one of its calls is live or isn't logged in the CRM yet, even if the CRM refused it or
 * has to be reconnected, or while the CRM may have created its record. The removal's own row has the time.
 */
const isNeeded = (removalId: string) => sql<boolean>`(
  exists (
    select from calls where calls.organisation_id = leads.organisation_id and calls.ended_at is null
      and (calls.lead_id = leads.id or calls.phone_number = leads.phone_number))
  or exists (
    select from call_activities as activity
    where activity.lead_id = leads.id and activity.state in ('waiting', 'failed'))
  or exists (
    select from lead_writes as written
    where written.lead_id = leads.id and written.state = 'waiting' and written.created_with is not null)
) and exists (
  select from lead_changes where lead_changes.id = ${removalId}
    and lead_changes.created_at > clock_timestamp() - interval '1 day')`;

/** No page of a sync is stored until the transaction ends. */
export async function lockIntegrations(tx: Tx, organisationId: string): Promise<void> {
  await sql`select from integrations where organisation_id = ${organisationId} order by id for share`.execute(tx);
}

/**
 * Permanently deletes some of them, with their notes, files and merged leads, and records that syncs leave them out.
 * Returns how many, not counting merged ones.
 */
export async function deleteSomeRemoved(tx: Tx, { organisationId, removalId }: Removal, most: number): Promise<number> {
  await seeRemovedLeads(tx, "on");
  const { rows } = await sql<{ count: number }>`
    with recursive doomed as materialized (
      select id from leads where organisation_id = ${organisationId} and removal_id = ${removalId}
        and not (${isNeeded(removalId)}) limit ${most}
    ), gone as (
      select id from doomed
      union select leads.id from gone
        join lead_merges on lead_merges.kept_id = gone.id and lead_merges.organisation_id = ${organisationId}
        join leads on leads.removal_id = lead_merges.id and leads.organisation_id = ${organisationId}
    ), left_out as (
      ${insertDeletedRecords(organisationId, sql`select id from gone`)}
    ), deleted as (
      delete from leads where organisation_id = ${organisationId} and id in (select id from gone)
    )
    select count(*)::int as count from doomed`.execute(tx);
  await seeRemovedLeads(tx, "off");
  return rows[0]?.count ?? 0;
}

export async function hasRemovedLeads(tx: Tx, { organisationId, removalId }: Removal): Promise<boolean> {
  await seeRemovedLeads(tx, "on");
  const row = await tx
    .selectFrom("leads")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("removal_id", "=", removalId)
    .limit(1)
    .executeTakeFirst();
  await seeRemovedLeads(tx, "off");
  return row !== undefined;
}

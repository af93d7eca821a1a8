import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { seeRemovedLeads } from "../../db/see-removed-leads.ts";

interface Removal {
  organisationId: string;
  removalId: string;
}

const count = ({ numAffectedRows }: { numAffectedRows?: bigint }): number => Number(numAffectedRows ?? 0n);

/** Hides these leads; answers how many. */
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

/** Shows some of them again; answers how many. */
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

/** Deletes some of them for good, with their notes and files, and with what was merged into them; answers how many without those. */
export async function deleteSomeRemoved(tx: Tx, { organisationId, removalId }: Removal, most: number): Promise<number> {
  await seeRemovedLeads(tx, "on");
  const { rows } = await sql<{ count: number }>`
    with recursive doomed as materialized (
      select id from leads where organisation_id = ${organisationId} and removal_id = ${removalId} limit ${most}
    ), gone as (
      select id from doomed
      union select leads.id from gone
        join lead_merges on lead_merges.kept_id = gone.id and lead_merges.organisation_id = ${organisationId}
        join leads on leads.removal_id = lead_merges.id and leads.organisation_id = ${organisationId}
    ), deleted as (
      delete from leads where organisation_id = ${organisationId} and id in (select id from gone)
    )
    select count(*)::int as count from doomed`.execute(tx);
  await seeRemovedLeads(tx, "off");
  return rows[0]?.count ?? 0;
}

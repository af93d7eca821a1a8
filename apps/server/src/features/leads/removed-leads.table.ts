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
    update leads set removal_id = null where id in (
      select id from leads where organisation_id = ${organisationId} and removal_id = ${removalId} limit ${most}
    )`.execute(tx);
  await seeRemovedLeads(tx, "off");
  return count(shown);
}

/** Deletes some of them for good, with their notes and files; answers how many. */
export async function deleteSomeRemoved(tx: Tx, { organisationId, removalId }: Removal, most: number): Promise<number> {
  await seeRemovedLeads(tx, "on");
  const deleted = await sql`
    delete from leads where id in (
      select id from leads where organisation_id = ${organisationId} and removal_id = ${removalId} limit ${most}
    )`.execute(tx);
  await seeRemovedLeads(tx, "off");
  return count(deleted);
}

import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

interface Slice {
  organisationId: string;
  userId: string;
  /** A lead's position. */
  after: number;
  limit: number;
}

/** Handles a slice of the leads. Returns the position of its last one, or null after the last slice. */
export async function setJoinedOwner(tx: Tx, { organisationId, userId, after, limit }: Slice): Promise<number | null> {
  const { rows } = await sql<{ count: number; last: number | null }>`
    with slice as (
      select id, position, integration_id, owner_id, owner_name, crm_owner from leads
      where organisation_id = ${organisationId} and position > ${after} order by position limit ${limit}
    ), matched as (
      update leads set owner_id = users.id, owner_name = '', updated_at = clock_timestamp()
      from slice
        left join crm_owners on crm_owners.organisation_id = ${organisationId}
          and crm_owners.integration_id = slice.integration_id and owner_key = crm_owner_key(slice.crm_owner),
        users join memberships on memberships.user_id = users.id
      where leads.id = slice.id and users.id = ${userId} and memberships.organisation_id = ${organisationId}
        -- The owner that the CRM named: the team's own choice has no name.
        and slice.owner_id is null and slice.owner_name <> ''
        and case coalesce(crm_owners.maps_to, 'email')
          when 'email' then right(lower(slice.crm_owner), length(users.email) + 2) = '<' || users.email || '>'
          when 'member' then crm_owners.user_id = users.id else false end
    )
    select count(*)::int as count, max(position) as last from slice`.execute(tx);
  const [slice] = rows;
  return slice === undefined || slice.count < limit ? null : slice.last;
}

import type { LeadStatus } from "@leadline/contract/leads";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { statusRankOf } from "./leads.table.ts";

/** How many leads there are, counted in an index and no farther than `most`. */
export async function countLeadsUpTo(
  tx: Tx,
  { organisationId, status, most }: { organisationId: string; status: LeadStatus | undefined; most: number },
): Promise<number> {
  const ofStatus = status === undefined ? sql`true` : sql`status_rank = ${statusRankOf(status)}::smallint`;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from leads where organisation_id = ${organisationId} and ${ofStatus} limit ${most}
    ) as counted`.execute(tx);
  return rows[0]?.count ?? 0;
}

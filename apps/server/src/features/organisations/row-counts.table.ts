import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Each has an index that begins with the organisation. */
export type CountedTable = "leads" | "do_not_call";

/** Stops at `most`. */
export async function countRows(
  tx: Tx,
  { organisationId, table, most }: { organisationId: string; table: CountedTable; most: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from ${sql.table(table)} where organisation_id = ${organisationId} limit ${most}
    ) as counted`.execute(tx);
  return rows[0]?.count ?? 0;
}

import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** What grows with use and nothing else refers to. What is not sliced here or by its own feature goes with the organisation. */
export const tablesThatGrow = ["files", "follow_ups", "do_not_call", "phone_numbers", "live_events"] as const;

/** At most so many; answers how many. */
export const deleteSomeOf =
  (table: (typeof tablesThatGrow)[number]) =>
  async (tx: Tx, organisationId: string, limit: number): Promise<number> => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where organisation_id = ${organisationId} limit ${limit} for update))`.execute(
      tx,
    );
    return Number(numAffectedRows ?? 0n);
  };

import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Rows that failed or were duplicates, at most so many, and where none is left imports; answers how many. */
export async function deleteSomeOfImports(tx: Tx, organisationId: string, limit: number): Promise<number> {
  for (const table of ["lead_import_errors", "lead_import_duplicates"]) {
    const rows = await sql`
      delete from ${sql.table(table)} where (import_id, row_number) in (
        select listed.import_id, listed.row_number from lead_imports as own
        join ${sql.table(table)} as listed on listed.import_id = own.id
        where own.organisation_id = ${organisationId} limit ${limit} for update of listed)`.execute(tx);
    if ((rows.numAffectedRows ?? 0n) > 0n) return Number(rows.numAffectedRows);
  }
  const imports = await sql`
    delete from lead_imports where id in (
      select id from lead_imports where organisation_id = ${organisationId} limit ${limit} for update)`.execute(tx);
  return Number(imports.numAffectedRows ?? 0n);
}

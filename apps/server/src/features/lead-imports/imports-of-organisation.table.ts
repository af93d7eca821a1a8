import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Rows that failed, at most so many, and where none is left imports; answers how many. */
export async function deleteSomeOfImports(tx: Tx, organisationId: string, limit: number): Promise<number> {
  const rows = await sql`
    delete from lead_import_errors where (import_id, row_number) in (
      select failed.import_id, failed.row_number from lead_imports as own
      join lead_import_errors as failed on failed.import_id = own.id
      where own.organisation_id = ${organisationId} limit ${limit} for update of failed)`.execute(tx);
  if ((rows.numAffectedRows ?? 0n) > 0n) return Number(rows.numAffectedRows);
  const imports = await sql`
    delete from lead_imports where id in (
      select id from lead_imports where organisation_id = ${organisationId} limit ${limit} for update)`.execute(tx);
  return Number(imports.numAffectedRows ?? 0n);
}

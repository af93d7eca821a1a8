import type { Tx } from "../../db/transaction.ts";
import type { LeadImportKey } from "./lead-imports.table.ts";

export interface FailedRow {
  row: number;
  message: string;
  /** As the file has them; null of a row that failed before they were kept. */
  cells: string[] | null;
}

/** In the file's order, from the one after `afterRow` on. */
export async function selectFailedRows(
  tx: Tx,
  { id, organisationId }: LeadImportKey,
  page: { afterRow: number; limit: number },
): Promise<FailedRow[]> {
  return tx
    .selectFrom("lead_import_errors")
    .select(["row_number as row", "message", "cells"])
    .where("organisation_id", "=", organisationId)
    .where("import_id", "=", id)
    .where("row_number", ">", page.afterRow)
    .orderBy("row_number")
    .limit(page.limit)
    .execute();
}

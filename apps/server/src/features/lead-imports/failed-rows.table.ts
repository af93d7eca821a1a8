import type { Tx } from "../../db/transaction.ts";
import type { LeadImportKey } from "./lead-imports.table.ts";

export interface FailedRow {
  row: number;
  message: string;
  /** As in the file. Null for a row that failed in a release that didn't store them. */
  cells: string[] | null;
}

/** In the file's order, after `afterRow`. */
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

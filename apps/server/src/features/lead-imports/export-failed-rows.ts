import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { exportRows } from "./export-rows.ts";
import { selectFailedRows } from "./failed-rows.table.ts";
import { requireLeadImport } from "./read-lead-import.ts";

/** Every row that was not imported, as in the file, with the reason, so that it can be fixed and imported again. */
export async function exportFailedRows(database: Database, caller: Member, id: string): Promise<FileAnswer> {
  const key = { id, organisationId: caller.organisation.id };
  const { file_name: fileName, columns } = await database.withTransaction(key, (tx) => requireLeadImport(tx, key));
  return exportRows(`not imported of ${fileName}.csv`, {
    header: ["Row", "Reason", ...columns],
    readPage: (page) => database.withTransaction(key, (tx) => selectFailedRows(tx, key, page)),
    toCells: ({ row, message, cells }) => [row, message, ...(cells ?? [])],
  });
}

import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { harmlessCells } from "../../csv/escape-formula.ts";
import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { selectFailedRows } from "./failed-rows.table.ts";
import type { LeadImportKey } from "./lead-imports.table.ts";
import { requireLeadImport } from "./read-lead-import.ts";

const rowsAPage = 1_000;

/** Every row that was not imported, as the file has it and with the reason, to be mended and imported again. */
export async function exportFailedRows(database: Database, caller: Member, id: string): Promise<FileAnswer> {
  const key = { id, organisationId: caller.organisation.id };
  const { file_name: fileName, columns } = await database.withTransaction(key, (tx) => requireLeadImport(tx, key));
  const header = ["Row", "Why it was not imported", ...columns];
  const content = Readable.from(pieces(database, key, header), { objectMode: false });
  return { name: `not imported of ${fileName}.csv`, mediaType: "text/csv; charset=utf-8", content };
}

async function* pieces(database: Database, key: LeadImportKey, header: string[]): AsyncGenerator<string> {
  // The first bytes tell Excel that it is UTF-8.
  yield stringify([header], { ...harmlessCells, bom: true });
  for (let afterRow = 0; ;) {
    const page = { afterRow, limit: rowsAPage };
    const rows = await database.withTransaction(key, (tx) => selectFailedRows(tx, key, page));
    yield stringify(
      rows.map(({ row, message, cells }) => [row, message, ...(cells ?? [])]),
      harmlessCells,
    );
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAPage) return;
    afterRow = last.row;
  }
}

import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { harmlessCells } from "../../csv/escape-formula.ts";
import type { FileAnswer } from "../../http/route.ts";

const rowsAPage = 1_000;

interface Rows<Row extends { row: number }> {
  header: string[];
  /** In the file's order. */
  readPage(page: { afterRow: number; limit: number }): Promise<Row[]>;
  toCells(row: Row): unknown[];
}

/** Rows of an import as CSV, however many: a page at a time. */
export const exportRows = <Row extends { row: number }>(name: string, rows: Rows<Row>): FileAnswer => ({
  name,
  mediaType: "text/csv; charset=utf-8",
  content: Readable.from(pieces(rows), { objectMode: false }),
});

async function* pieces<Row extends { row: number }>({ header, readPage, toCells }: Rows<Row>): AsyncGenerator<string> {
  // The first bytes tell Excel that it is UTF-8.
  yield stringify([header], { ...harmlessCells, bom: true });
  for (let afterRow = 0; ;) {
    const rows = await readPage({ afterRow, limit: rowsAPage });
    yield stringify(rows.map(toCells), harmlessCells);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAPage) return;
    afterRow = last.row;
  }
}

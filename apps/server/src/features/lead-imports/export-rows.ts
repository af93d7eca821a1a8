import { Readable } from "node:stream";
import { setImmediate as letOthersGo } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";
import { harmlessCells } from "../../csv/escape-formula.ts";
import type { FileAnswer } from "../../http/route.ts";

/** A row can take 100 kB, and a page of them is in memory at once. */
const rowsAPage = 100;
/** The amount written at once takes a few milliseconds, whatever the cells contain. */
const charactersInOneGo = 100_000;

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
  // The first bytes are a BOM, which tells Excel that it is UTF-8.
  yield stringify([header], { ...harmlessCells, bom: true });
  for (let afterRow = 0; ;) {
    const rows = await readPage({ afterRow, limit: rowsAPage });
    let written = "";
    for (const row of rows) {
      written += stringify([toCells(row)], harmlessCells);
      if (written.length < charactersInOneGo) continue;
      yield written;
      written = "";
      await letOthersGo();
    }
    if (written !== "") yield written;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAPage) return;
    afterRow = last.row;
  }
}

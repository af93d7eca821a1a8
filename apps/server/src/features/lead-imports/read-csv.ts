import type { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";

export interface CsvRow {
  cells: string[];
  /** Where the next row begins, from where this reading began. */
  endByte: number;
}

/** Rows of CSV (RFC 4180, and kinder): quotes within a cell and rows of other lengths are taken as they stand. */
export async function* readCsv(content: Readable, delimiter: string): AsyncGenerator<CsvRow> {
  const parser = content.pipe(
    parse({
      delimiter,
      record_delimiter: "\n",
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 100_000,
      info: true,
    }),
  );
  // pipe() passes no error on, and an unread parser would wait for ever.
  content.once("error", (error) => parser.destroy(error));
  try {
    for await (const { record, info } of asInfoRows(parser)) yield { cells: record, endByte: info.bytes };
  } finally {
    content.destroy();
  }
}

/** Guarantee: `info: true` without `columns` makes csv-parse emit this (its page "Option info"). */
const asInfoRows = (parser: AsyncIterable<unknown>) =>
  parser as AsyncIterable<{ record: string[]; info: { bytes: number } }>;

export const isEmptyRow = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

/** What is wrong with a file that cannot be read, in words; null where it is not the file's fault. */
export function csvFault(error: unknown): string | null {
  if (!(error instanceof CsvError)) return null;
  if (error.code === "CSV_QUOTE_NOT_CLOSED")
    return `A quotation mark is opened in row ${Number(error["records"]) + 1} and never closed.`;
  if (error.code === "CSV_MAX_RECORD_SIZE")
    return "One of its rows is too long; perhaps a quotation mark is not closed.";
  return `It is not CSV as we know it: ${error.message}.`;
}

/** Of the usual ones, that which stands most often in the first line, quoted cells left out. */
export function findDelimiter(firstLine: string): string {
  const bare = firstLine.replaceAll(/"[^"]*"/g, "");
  const counts = [",", ";", "\t", "|"].map((delimiter) => ({ delimiter, count: bare.split(delimiter).length - 1 }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}

/** As UTF-8 with line feeds only: spreadsheets also write UTF-16 and Windows-1252. */
export function toPlainText(bytes: Buffer): string {
  return decode(bytes).replaceAll("\0", "").replaceAll(/\r\n?/g, "\n");
}

const isControl = (code: number): boolean => (code > 0 && code < 9) || (code > 13 && code < 32);

/** A workbook or a picture by another name. A stray control character is in many an export. */
export function isBinary(text: string): boolean {
  const start = text.slice(0, 4_000);
  let controls = 0;
  for (let index = 0; index < start.length; index += 1) if (isControl(start.charCodeAt(index))) controls += 1;
  return controls > Math.max(8, start.length / 50);
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

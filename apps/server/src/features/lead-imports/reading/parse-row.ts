/** A row that can't be parsed. The message follows the file's name. */
export class UnreadableCsv extends Error {
  override name = "UnreadableCsv";
}

const maxColumns = 200;
export const longestRowBytes = 100_000;

const quote = 0x22;
const lineFeed = 0x0a;

export interface ParsedRow {
  cells: string[];
  /** Where the next row starts. */
  end: number;
}

interface HowToParse {
  /** One ASCII character. */
  delimiter: string;
  /** Whether the file ends with these bytes. */
  isEndOfFile: boolean;
  /** As a spreadsheet counts, for messages. */
  rowNumber: number;
}

/**
 * Parses the row at `start`, or returns null if these bytes contain only part of it. CSV as in RFC 4180, in UTF-8 with
 * line feeds. A quotation mark inside an unquoted cell is an ordinary character. Takes time proportional to the row's
 * length.
 */
export function parseRow(bytes: Buffer, start: number, how: HowToParse): ParsedRow | null {
  const row = parse(bytes, start, how);
  const length = (row?.end ?? bytes.length) - start;
  if (length > longestRowBytes)
    throw new UnreadableCsv(`Row ${how.rowNumber} is too long. A quotation mark may be unclosed.`);
  return row;
}

function parse(bytes: Buffer, start: number, { delimiter, isEndOfFile, rowNumber }: HowToParse): ParsedRow | null {
  const delimiterByte = delimiter.charCodeAt(0);
  const cells: string[] = [];
  for (let at = start; ;) {
    let end = at;
    let quoted = false;
    if (bytes[at] === quote) {
      const closing = findClosingQuote(bytes, at + 1);
      if (closing < 0 && isEndOfFile && bytes.length - start <= longestRowBytes)
        throw new UnreadableCsv(`A quotation mark in row ${rowNumber} is never closed.`);
      if (closing < 0) return null;
      end = closing + 1;
      quoted = end === bytes.length || bytes[end] === delimiterByte || bytes[end] === lineFeed;
    }
    while (end < bytes.length && bytes[end] !== delimiterByte && bytes[end] !== lineFeed) end += 1;
    if (end === bytes.length && !isEndOfFile) return null;
    if (cells.length === maxColumns) throw new UnreadableCsv(`Row ${rowNumber} has more than ${maxColumns} columns.`);
    cells.push(
      quoted ? bytes.toString("utf8", at + 1, end - 1).replaceAll('""', '"') : bytes.toString("utf8", at, end),
    );
    at = end + 1;
    if (end === bytes.length || bytes[end] === lineFeed) return { cells, end: Math.min(at, bytes.length) };
  }
}

/** Two quotation marks in a quoted cell stand for one. */
function findClosingQuote(bytes: Buffer, from: number): number {
  let closing = bytes.indexOf(quote, from);
  while (closing >= 0 && bytes[closing + 1] === quote) closing = bytes.indexOf(quote, closing + 2);
  return closing;
}

export const isEmptyRow = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

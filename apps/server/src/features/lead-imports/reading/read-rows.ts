import { closeSync, openSync, readSync } from "node:fs";
import { isEmptyRow, longestRowBytes, type ParsedRow, parseRow } from "./parse-row.ts";

/** Much longer than the longest row, but short enough to be parsed in milliseconds. */
const windowBytes = 4 * longestRowBytes;

export interface Place {
  path: string;
  delimiter: string;
  startByte: number;
  /** Rows before `startByte`, including the first one, which names the columns. */
  rowsBefore: number;
}

export interface Stretch {
  /** All rows that were read, including empty ones. */
  rowsRead: number;
  nextByte: number;
  isEndOfFile: boolean;
}

/** Passes on non-empty rows until `take` returns false or a bounded part of the file is read. */
export function readRows(place: Place, take: (cells: string[], rowNumber: number) => boolean): Stretch {
  const { path, delimiter, startByte, rowsBefore } = place;
  const { bytes, isEndOfFile } = readWindow(path, startByte);
  let at = 0;
  let rowsRead = 0;
  for (let row: ParsedRow | null; at < bytes.length; at = row.end) {
    const rowNumber = rowsBefore + rowsRead + 1;
    row = parseRow(bytes, at, { delimiter, isEndOfFile, rowNumber });
    if (row === null) break;
    rowsRead += 1;
    if (isEmptyRow(row.cells) || take(row.cells, rowNumber)) continue;
    at = row.end;
    break;
  }
  return { rowsRead, nextByte: startByte + at, isEndOfFile: isEndOfFile && at >= bytes.length };
}

/** No cells if the file is empty. */
export function readHeader({ path, delimiter }: Pick<Place, "path" | "delimiter">): ParsedRow {
  const { bytes, isEndOfFile } = readWindow(path, 0);
  const empty = { cells: [], end: 0 };
  return bytes.length === 0 ? empty : (parseRow(bytes, 0, { delimiter, isEndOfFile, rowNumber: 1 }) ?? empty);
}

function readWindow(path: string, startByte: number): { bytes: Buffer; isEndOfFile: boolean } {
  const file = openSync(path, "r");
  try {
    const window = Buffer.allocUnsafe(windowBytes);
    let length = 0;
    for (let read = 1; read > 0 && length < windowBytes; length += read)
      read = readSync(file, window, length, windowBytes - length, startByte + length);
    return { bytes: window.subarray(0, length), isEndOfFile: length < windowBytes };
  } finally {
    closeSync(file);
  }
}

import { readFileSync, writeFileSync } from "node:fs";
import { UnreadableCsv } from "./parse-row.ts";

/**
 * Rewrites a file as UTF-8 with line feeds only, since spreadsheets also write UTF-16 and Windows-1252; returns its
 * delimiter.
 */
export function tidyText(path: string): string {
  const text = decode(readFileSync(path)).replaceAll("\0", "").replaceAll(/\r\n?/g, "\n");
  if (isBinary(text)) throw new UnreadableCsv("It isn’t a text file. If it’s a workbook, save it as CSV first.");
  writeFileSync(path, text);
  const endOfLine = text.indexOf("\n");
  return findDelimiter(endOfLine < 0 ? text : text.slice(0, endOfLine));
}

/** The usual delimiter that occurs most often in the first line outside quoted cells. */
function findDelimiter(firstLine: string): string {
  const bare = firstLine.replaceAll(/"[^"]*"/g, "");
  const counts = [",", ";", "\t", "|"].map((delimiter) => ({ delimiter, count: bare.split(delimiter).length - 1 }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}

const isControl = (code: number): boolean => (code > 0 && code < 9) || (code > 13 && code < 32);

/** Detects a renamed workbook or picture. Many exports contain a stray control character. */
function isBinary(text: string): boolean {
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

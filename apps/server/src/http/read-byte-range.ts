import type { ByteRange } from "./route.ts";

/**
 * The range of a file requested by the Range header (RFC 9110, section 14.2): one range of bytes. Null for the whole
 * file, also for several ranges or another unit, which a server may ignore.
 */
export function readByteRange(header: string | undefined, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  const asked = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i.exec(header?.trim() ?? "");
  if (!asked) return null;
  const [, first, last, suffix] = asked;
  const firstByte = first === undefined ? Math.max(0, sizeBytes - Number(suffix)) : Number(first);
  const lastByte = Math.min(sizeBytes - 1, last === undefined ? Infinity : Number(last));
  if (last !== undefined && Number(last) < firstByte) return null;
  return firstByte < sizeBytes ? { firstByte, lastByte } : "unsatisfiable";
}

import { randomBytes } from "node:crypto";

/** A UUID version 8 (RFC 9562, section 5.8): 32 bits identify the process that has the connection, and 90 are random. */
export function newConnectionId(processKey: number): string {
  const bytes = randomBytes(16);
  bytes.writeUInt32BE(processKey, 0);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** For an id from newConnectionId. Any other text yields a process that doesn't exist. */
export const processOfConnection = (id: string): number => Number.parseInt(id.slice(0, 8), 16);

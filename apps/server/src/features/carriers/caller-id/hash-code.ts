import { createHash } from "node:crypto";

/** A code is valid for minutes and for few tries: what is stored is of no use where it belongs to another carrier. */
export const hashCode = (carrierId: string, code: string): Buffer =>
  createHash("sha256").update(`${carrierId}:${code}`).digest();

import { createHash } from "node:crypto";

/** A code is valid for minutes and a few attempts. The hash depends on the carrier, so it is useless for another one. */
export const hashCode = (carrierId: string, code: string): Buffer =>
  createHash("sha256").update(`${carrierId}:${code}`).digest();

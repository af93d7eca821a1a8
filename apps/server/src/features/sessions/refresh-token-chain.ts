import { createHash, createHmac, randomBytes } from "node:crypto";
import type { DeriveKey } from "../../secrets.ts";

export interface RefreshTokenChain {
  /** 256 random bits, base64url. */
  first(): string;
  /** Derived, so that a parent used twice within the grace has one child although only hashes are stored. */
  childOf(token: string): string;
  hash(token: string): Buffer;
}

export function createRefreshTokenChain(deriveKey: DeriveKey): RefreshTokenChain {
  const key = deriveKey("refresh tokens");
  return {
    first: () => randomBytes(32).toString("base64url"),
    childOf: (token) => createHmac("sha256", key).update(token).digest("base64url"),
    hash: (token) => createHash("sha256").update(token).digest(),
  };
}

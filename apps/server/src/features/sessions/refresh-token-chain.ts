import { createHash, createHmac, randomBytes } from "node:crypto";
import { type DeriveKey, keyIdOf } from "../../secrets.ts";

export interface RefreshTokenChain {
  /** 256 random bits, base64url. */
  first(): string;
  /**
   * Derived from its parent, so that a parent used twice within the grace period has one child although only hashes are
   * stored.
   */
  childOf(token: string): string;
  hash(token: string): Buffer;
  /** The child with that hash, derived with any accepted key. Null if none matches. */
  childWithHash(token: string, childHash: Buffer | null): string | null;
  /** The key for new tokens, and all accepted keys. */
  keyId: string;
  acceptedKeyIds: string[];
}

export function createRefreshTokenChain(deriveKey: DeriveKey): RefreshTokenChain {
  const key = deriveKey("refresh tokens");
  const accepted = [key, ...(deriveKey.previous?.("refresh tokens") ?? [])];
  const derive = (from: Buffer, token: string) => createHmac("sha256", from).update(token).digest("base64url");
  const hash = (token: string) => createHash("sha256").update(token).digest();
  return {
    first: () => randomBytes(32).toString("base64url"),
    childOf: (token) => derive(key, token),
    hash,
    childWithHash: (token, childHash) =>
      accepted.map((one) => derive(one, token)).find((child) => childHash?.equals(hash(child))) ?? null,
    keyId: keyIdOf(key),
    acceptedKeyIds: accepted.map(keyIdOf),
  };
}

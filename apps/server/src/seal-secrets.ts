import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { type DeriveKey, keyIdOf } from "./secrets.ts";

/** Encrypted with another key or for another owner, or modified since. */
export class Unsealable extends Error {
  override name = "Unsealable";
}

export interface Sealer {
  /** `owner` (tenant and connection) is needed again to decrypt, so encrypted text copied to another row is useless. */
  encrypt(text: string, owner: string): string;
  /** Throws Unsealable. */
  open(sealed: string, owner: string): string;
  /** Re-encrypts the text with the current key. Null if it already is, or no key can decrypt it. */
  renew(sealed: string, owner: string): string | null;
}

/**
 * AES-256-GCM with a random nonce. `v1.{key id}.{nonce}.{tag}.{ciphertext}`; the key id distinguishes a changed
 * SECRET_KEY from tampering.
 */
export function createSealer(deriveKey: DeriveKey, purpose: string): Sealer {
  const key = deriveKey(purpose);
  const keyId = keyIdOf(key);
  const keys = new Map([...(deriveKey.previous?.(purpose) ?? []), key].map((one) => [keyIdOf(one), one]));
  const sealer: Sealer = {
    encrypt(text, owner) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
      const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), ciphertext].map((part) => part.toString("base64url"));
      return ["v1", keyId, ...parts].join(".");
    },
    open(sealed, owner) {
      const [version, sealedWith, ...parts] = sealed.split(".");
      const [nonce, tag, ciphertext] = parts.map((part) => Buffer.from(part, "base64url"));
      if (version !== "v1" || nonce === undefined || tag?.length !== 16 || ciphertext === undefined)
        throw new Unsealable("not a sealed text");
      const opensWith = keys.get(sealedWith ?? "");
      if (!opensWith) throw new Unsealable(`sealed with another key (${sealedWith}, not ${keyId})`);
      try {
        const decipher = createDecipheriv("aes-256-gcm", opensWith, nonce).setAAD(Buffer.from(owner)).setAuthTag(tag);
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
      } catch (error) {
        throw new Unsealable("sealed for another owner, or changed since", { cause: error });
      }
    },
    renew(sealed, owner) {
      if (sealed.startsWith(`v1.${keyId}.`)) return null;
      try {
        return sealer.encrypt(sealer.open(sealed, owner), owner);
      } catch (error) {
        if (error instanceof Unsealable) return null;
        throw error;
      }
    },
  };
  return sealer;
}

import { createHash, randomBytes } from "node:crypto";

export const hash = (token: string): string => createHash("sha256").update(token).digest("base64url");
export const newToken = (prefix: string): string => prefix + randomBytes(36).toString("base64url");

/** Pages and codes that wait for a response. Anyone may request one, so above a thousand the oldest are dropped. */
export function createWaiting<T>({ prefix, keepsMs }: { prefix: string; keepsMs: number }) {
  const waiting = new Map<string, { value: T; expiresMs: number }>();
  return {
    /** Returns a token for it, valid for a limited time. */
    put(value: T): string {
      // A Map iterates in insertion order.
      for (const [key, { expiresMs }] of waiting)
        if (expiresMs < Date.now() || waiting.size >= 1_000) waiting.delete(key);
      const token = newToken(prefix);
      waiting.set(hash(token), { value, expiresMs: Date.now() + keepsMs });
      return token;
    },
    /** Null if it is unknown, used or expired. */
    take(token: string): T | null {
      const found = waiting.get(hash(token));
      waiting.delete(hash(token));
      return found === undefined || found.expiresMs < Date.now() ? null : found.value;
    },
  };
}

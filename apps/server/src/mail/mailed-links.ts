import { createHash, createHmac } from "node:crypto";
import type { DeriveKey } from "../secrets.ts";

/**
 * The secret part of a mailed link. Derived from its row, so that neither the database nor a queued job contains it;
 * the database stores its hash.
 */
export interface MailedLinks {
  billingPage(): Promise<string>;
  tokenOf(purpose: "password-reset" | "invitation" | "set-up", id: string): string;
  hash(token: string): Buffer;
  /** The token is in the fragment, which browsers send neither to servers nor in the Referer header. */
  url(path: "/reset-password" | "/invitation" | "/register", token: string): Promise<string>;
  /** A page that its recipient must sign in to see. */
  page(
    path: "/integrations" | "/calls?tab=call-back" | "/settings/limits" | "/settings/billing" | "/settings/carriers",
  ): Promise<string>;
}

/** `publicAddress`: where browsers reach Leadline; known once it listens. */
export function createMailedLinks(deriveKey: DeriveKey, publicAddress: Promise<string>): MailedLinks {
  const key = deriveKey("mailed links");
  return {
    billingPage: async () => `${await publicAddress}/settings/billing`,
    tokenOf: (purpose, id) => createHmac("sha256", key).update(`${purpose}:${id}`).digest("base64url"),
    hash: (token) => createHash("sha256").update(token).digest(),
    url: async (path, token) => `${await publicAddress}${path}#${token}`,
    page: async (path) => `${await publicAddress}${path}`,
  };
}

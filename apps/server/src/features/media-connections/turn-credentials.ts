import { createHmac } from "node:crypto";
import type { getMediaConfiguration as endpoint } from "@leadline/contract/media-connections";
import type { ResponseOf } from "@leadline/contract/endpoint";
import type { TurnSettings } from "../../config.ts";

/** Longer than a working day's calls; a relay requests new ones while it is in use. */
const lifetimeMs = 12 * 60 * 60_000;

/**
 * Credentials for a TURN server that shares the secret. The username contains the expiry, and the password is its
 * HMAC-SHA1 (draft-uberti-behave-turn-rest-00, section 2.2; coturn's use-auth-secret).
 */
export function mediaConfiguration(turn: TurnSettings | null, userId: string): ResponseOf<typeof endpoint> {
  if (!turn) return { iceServers: [], expiresAt: null };
  const endsAtSeconds = Math.floor((Date.now() + lifetimeMs) / 1000);
  const username = `${endsAtSeconds}:${userId}`;
  const credential = createHmac("sha1", turn.secret).update(username).digest("base64");
  const expiresAt = new Date(endsAtSeconds * 1000).toISOString();
  return { iceServers: [{ urls: turn.urls, username, credential }], expiresAt };
}

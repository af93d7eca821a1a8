import { createHmac, timingSafeEqual } from "node:crypto";
import type { DeriveKey } from "../../../secrets.ts";

export interface WebhookKeys {
  keyOf(integrationId: string): string;
  /** The id of the integration that the key was made for; null if we made no such key. */
  read(key: string): string | null;
}

/** The key in an address that only the CRM was given. Derived, so nothing is stored. */
export function createWebhookKeys(deriveKey: DeriveKey): WebhookKeys {
  const purpose = "crm-webhooks";
  const macOf = (secret: Buffer, integrationId: string): Buffer =>
    createHmac("sha256", secret).update(integrationId).digest();
  const secrets = [deriveKey(purpose), ...(deriveKey.previous?.(purpose) ?? [])];
  return {
    keyOf: (integrationId) => `${integrationId}.${macOf(deriveKey(purpose), integrationId).toString("base64url")}`,
    read(key) {
      const [, integrationId = "", given = ""] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(key) ?? [];
      const mac = Buffer.from(given, "base64url");
      const isOurs = secrets.some((secret) => {
        const expected = macOf(secret, integrationId);
        return mac.length === expected.length && timingSafeEqual(mac, expected);
      });
      return isOurs ? integrationId : null;
    },
  };
}

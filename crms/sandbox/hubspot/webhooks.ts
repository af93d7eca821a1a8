import { createHash, createHmac, randomInt } from "node:crypto";
import type { WebhookRequest, WebhookSender } from "../send-webhooks.ts";

/** Event types of a contact, by the names that legacy apps subscribe to. */
export type ContactEvent =
  | { type: "contact.creation" | "contact.deletion"; objectId: string }
  | { type: "contact.propertyChange"; objectId: string; propertyName: string; propertyValue: string }
  | { type: "contact.merge"; primaryObjectId: string; mergedObjectIds: string[] };

export type SignatureVersion = "v1" | "v3";

const subscriptions = ["contact.creation", "contact.deletion", "contact.propertyChange", "contact.merge"];

interface App {
  clientSecret: string;
  portalId: number;
  signature: SignatureVersion;
}

/** Webhooks API: events of one account in batches of up to 100, each signed with the app's secret. */
export function createContactWebhooks(sender: WebhookSender, app: App) {
  const sourceString = (method: string, url: URL, body: string, timestamp: string) =>
    method + url.href + body + timestamp;

  function sign(url: URL, body: string): Record<string, string> {
    if (app.signature === "v1") {
      const hash = createHash("sha256")
        .update(app.clientSecret + body)
        .digest("hex");
      return { "x-hubspot-signature": hash, "x-hubspot-signature-version": "v1" };
    }
    const timestamp = String(Date.now());
    const hmac = createHmac("sha256", app.clientSecret).update(sourceString("POST", url, body, timestamp));
    return { "x-hubspot-signature-v3": hmac.digest("base64"), "x-hubspot-request-timestamp": timestamp };
  }

  return (events: readonly ContactEvent[]): void => {
    const occurredAt = Date.now();
    const all = events.map(({ type, ...rest }) => ({
      eventId: randomInt(2 ** 40),
      subscriptionId: 1_900_001 + subscriptions.indexOf(type),
      portalId: app.portalId,
      appId: 2_210_033,
      occurredAt,
      subscriptionType: type,
      changeSource: "CRM_UI",
      ...numbersIn(rest),
    }));
    for (let from = 0; from < all.length; from += 100)
      sender.send(({ url }, attemptNumber): WebhookRequest => {
        const body = JSON.stringify(all.slice(from, from + 100).map((event) => ({ ...event, attemptNumber })));
        const headers = { "content-type": "application/json", "user-agent": "HubSpot Connect 2.0", ...sign(url, body) };
        return { method: "POST", url, headers, body };
      });
  };
}

/** Object ids are numbers in events. */
function numbersIn(event: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(event).map(([name, value]) => {
    if (name.endsWith("ObjectIds") && Array.isArray(value)) return [name, value.map(Number)] as const;
    return [name, /objectId$/i.test(name) ? Number(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

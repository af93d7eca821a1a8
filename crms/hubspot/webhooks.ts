import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { CrmError, type CrmSandbox } from "@leadline/adapter-kit/crm";
import type { CrmWebhookRequest, CrmWebhooks } from "@leadline/adapter-kit/crm-webhooks";
import { z } from "zod";

/** Validating requests, "Validate the v3 request signature". */
const longestAgeMs = 300_000;
/** A receiver's clock may be behind HubSpot's. */
const maxAheadMs = 60_000;

const Id = z.union([z.int().nonnegative(), z.string().regex(/^\d{1,20}$/)]).transform(String);
/** One event of a delivery (Webhooks API). Legacy apps report `contact.…`, others `object.…` with the object's type. */
const Event = z.object({
  eventId: Id,
  subscriptionId: Id,
  portalId: Id,
  occurredAt: z.int(),
  subscriptionType: z.string().max(100),
  objectTypeId: z.string().max(100).optional(),
  objectId: Id.optional(),
  /** Set for a merge. */
  primaryObjectId: Id.optional(),
  mergedObjectIds: z.array(Id).max(100).optional(),
});
const Events = z.array(Event).min(1).max(1_000);

interface Secret {
  secret: string;
  workspace: string | null;
}

/** A delivery signed with the sandbox's secret is about the sandbox only. */
export function createWebhooks(options: { sandbox: CrmSandbox | null; clientSecret: string | null }): CrmWebhooks {
  const { sandbox, clientSecret } = options;
  const secrets: Secret[] = [
    ...(clientSecret === null ? [] : [{ secret: clientSecret, workspace: null }]),
    ...(sandbox?.clientSecret ? [{ secret: sandbox.clientSecret, workspace: sandbox.domain }] : []),
  ];
  return {
    addressedBy: "account",
    read(request) {
      const signer = secrets.find(({ secret }) => isSigned(request, secret));
      if (signer === undefined) throw refused("Its signature is missing, wrong or too old.");
      return readEvents(request.body).flatMap((event) =>
        contactsOf(event).map((leadExternalId) => ({
          // According to HubSpot, an event's own id may repeat.
          eventId: [event.subscriptionId, event.eventId, event.occurredAt, leadExternalId].join(":"),
          leadExternalId,
          workspace: signer.workspace,
          accountId: event.portalId,
        })),
      );
    },
  };
}

const refused = (why: string) => new CrmError("refused", `This report is not HubSpot’s. ${why}`);

/** v3 if the request has that signature; otherwise v1, which legacy apps' CRM webhooks have. */
function isSigned({ method, url, headers, body }: CrmWebhookRequest, secret: string): boolean {
  const v3 = headers["x-hubspot-signature-v3"];
  if (v3 !== undefined) {
    const timestamp = headers["x-hubspot-request-timestamp"];
    if (typeof timestamp !== "string" || !/^\d{13}$/.test(timestamp)) return false;
    const ageMs = Date.now() - Number(timestamp);
    if (ageMs > longestAgeMs || ageMs < -maxAheadMs) return false;
    const hmac = createHmac("sha256", secret).update(method + decodeUri(url.href));
    return isEqual(v3, hmac.update(body).update(timestamp).digest("base64"));
  }
  const version = headers["x-hubspot-signature-version"];
  if (version !== undefined && version !== "v1") return false;
  const hash = createHash("sha256").update(secret).update(body).digest("hex");
  return isEqual(headers["x-hubspot-signature"], hash);
}

/** Compares in constant time. */
function isEqual(given: string | readonly string[] | undefined, expected: string): boolean {
  if (typeof given !== "string") return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** HubSpot signs the URL with these characters decoded. */
const decoded: Record<string, string> = {
  "%3A": ":",
  "%2F": "/",
  "%3F": "?",
  "%40": "@",
  "%21": "!",
  "%24": "$",
  "%27": "'",
  "%28": "(",
  "%29": ")",
  "%2A": "*",
  "%2C": ",",
  "%3B": ";",
};
const decodeUri = (href: string): string =>
  href.replaceAll(/%[0-9A-F]{2}/gi, (code) => decoded[code.toUpperCase()] ?? code);

function readEvents(body: Buffer): z.output<typeof Events> {
  try {
    return Events.parse(JSON.parse(body.toString("utf8")));
  } catch (error) {
    throw new CrmError("refused", "HubSpot reported changes in a way that Leadline does not understand.", {
      cause: error,
    });
  }
}

function contactsOf(event: z.output<typeof Event>): string[] {
  const { subscriptionType, objectTypeId, objectId, primaryObjectId, mergedObjectIds = [] } = event;
  const isContact =
    subscriptionType.startsWith("contact.") || (subscriptionType.startsWith("object.") && objectTypeId === "0-1");
  if (!isContact) return [];
  const ids = [objectId, primaryObjectId, ...mergedObjectIds].filter((id) => id !== undefined);
  return [...new Set(ids)];
}

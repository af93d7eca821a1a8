import { createHash, createHmac } from "node:crypto";
import { CrmError, type CrmSandbox } from "@leadline/adapter-kit/crm";
import type { CrmWebhookRequest } from "@leadline/adapter-kit/crm-webhooks";
import { describe, expect, it } from "vitest";
import { createWebhooks } from "./webhooks.ts";

const clientSecret = "yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy";
const webhooks = createWebhooks({ sandbox: null, clientSecret });
const url = new URL("https://leadline.example/api/v1/crm-webhooks/hubspot");
/** The example of the vendor's client, with its published v1 signature. */
const published = {
  body: '[{"eventId":1,"subscriptionId":12345,"portalId":62515,"occurredAt":1564113600000,"subscriptionType":"contact.creation","attemptNumber":0,"objectId":123,"changeSource":"CRM","changeFlag":"NEW","appId":54321}]',
  signature: "232db2615f3d666fe21a8ec971ac7b5402d33b9a925784df3ca654d05f4817de",
};
const { body } = published;

const v1 = (text: string, secret = clientSecret) => ({
  "x-hubspot-signature-version": "v1",
  "x-hubspot-signature": createHash("sha256")
    .update(secret + text)
    .digest("hex"),
});
function v3(text: string, change: { atMs?: number; secret?: string; method?: string; href?: string } = {}) {
  const { atMs = Date.now(), secret = clientSecret, method = "POST", href = url.href } = change;
  const signature = createHmac("sha256", secret)
    .update(method + href + text + atMs)
    .digest("base64");
  return { "x-hubspot-signature-v3": signature, "x-hubspot-request-timestamp": String(atMs) };
}
const read = (text: string, headers: CrmWebhookRequest["headers"], change: Partial<CrmWebhookRequest> = {}) =>
  webhooks.read({ method: "POST", url, headers, body: Buffer.from(text), ...change });

const event = (change: object) => JSON.stringify([{ ...JSON.parse(body)[0], ...change }]);
const contact = { workspace: null, accountId: "62515", leadExternalId: "123", eventId: "12345:1:1564113600000:123" };

describe("webhooks", () => {
  it("are accepted with the vendor’s published v1 signature", () => {
    const headers = { "x-hubspot-signature-version": "v1", "x-hubspot-signature": published.signature };
    expect(read(body, headers)).toEqual([contact]);
  });

  it("name the contacts of creations, merges and newer subscriptions, and skip other objects", () => {
    const merge = event({
      subscriptionType: "contact.merge",
      objectId: undefined,
      primaryObjectId: 5,
      mergedObjectIds: [6, 7],
    });
    const idsIn = (text: string) =>
      (read(text, v3(text)) as { leadExternalId: string }[]).map((one) => one.leadExternalId);
    expect(idsIn(merge)).toEqual(["5", "6", "7"]);
    expect(idsIn(event({ subscriptionType: "object.propertyChange", objectTypeId: "0-1" }))).toEqual(["123"]);
    expect(idsIn(event({ subscriptionType: "object.propertyChange", objectTypeId: "0-3" }))).toEqual([]);
    expect(idsIn(event({ subscriptionType: "company.creation" }))).toEqual([]);
  });

  it("signed with the sandbox’s secret are about the sandbox", () => {
    const sandbox = { domain: "hubspot.sandbox.test", clientSecret: "sandbox secret" } as CrmSandbox;
    const both = createWebhooks({ sandbox, clientSecret });
    const headers = v3(body, { secret: "sandbox secret" });
    const request = { method: "POST", url, headers, body: Buffer.from(body) };
    expect(both.read(request)).toMatchObject([{ workspace: "hubspot.sandbox.test" }]);
  });

  const oldMs = Date.now() - 301_000;
  const hostile: [
    why: string,
    text: string,
    headers: CrmWebhookRequest["headers"],
    change?: Partial<CrmWebhookRequest>,
  ][] = [
    ["an empty signature", body, { "x-hubspot-signature": "" }],
    ["a v1 signature with another secret", body, v1(body, "another")],
    ["a v1 signature of another body", `${body} `, v1(body)],
    ["a v1 signature in upper case", body, { "x-hubspot-signature": published.signature.toUpperCase() }],
    ["half a v1 signature", body, { "x-hubspot-signature": published.signature.slice(0, 32) }],
    ["two v1 signatures", body, { "x-hubspot-signature": [published.signature, published.signature] }],
    ["a v2 signature", body, { ...v1(body), "x-hubspot-signature-version": "v2" }],
    ["a v3 signature with another secret", body, v3(body, { secret: "another" })],
    ["a v3 signature of another body", `${body} `, v3(body)],
    ["a v3 signature of another method", body, v3(body, { method: "PUT" })],
    ["a v3 signature of another address", body, v3(body, { href: "https://evil.example/" })],
    ["a v3 signature that is older than five minutes", body, v3(body, { atMs: oldMs })],
    ["a v3 signature from the future", body, v3(body, { atMs: Date.now() + 120_000 })],
    [
      "a fresh timestamp on an old v3 signature",
      body,
      { ...v3(body, { atMs: oldMs }), "x-hubspot-request-timestamp": String(Date.now()) },
    ],
    ["a v3 signature without its timestamp", body, { "x-hubspot-signature-v3": v3(body)["x-hubspot-signature-v3"] }],
    ["a wrong v3 signature beside a right v1 signature", body, { ...v1(body), ...v3(body, { secret: "another" }) }],
    ["a timestamp that is no number", body, { ...v3(body), "x-hubspot-request-timestamp": "now" }],
    ["a signed body that is no JSON", "{", v3("{")],
    ["a signed body that is no list", "{}", v3("{}")],
    ["a signed empty list", "[]", v3("[]")],
    ["a signed event without an account", event({ portalId: undefined }), v3(event({ portalId: undefined }))],
    ["a signed event with a path as its contact", event({ objectId: "../1" }), v3(event({ objectId: "../1" }))],
    ["a signed body that is no UTF-8", "", v1(""), { body: Buffer.from([0xff, 0xfe]) }],
  ];
  it.each(hostile)("are refused with %s", (_, text, headers, change) => {
    expect(() => read(text, headers, change)).toThrow(CrmError);
  });

  it("are refused by an installation without an app, whatever their signature", () => {
    const none = createWebhooks({ sandbox: null, clientSecret: null });
    const request = { method: "POST", url, headers: v1(body, ""), body: Buffer.from(body) };
    expect(() => none.read(request)).toThrow(CrmError);
  });
});

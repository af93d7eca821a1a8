import { Client, Signature } from "@hubspot/api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerConsent } from "../answer-consent.ts";
import type { SandboxCrm } from "../sandbox-crm.ts";
import type { WebhookRequest } from "../send-webhooks.ts";
import { startSandboxCrm } from "./server.ts";
import type { SignatureVersion } from "./webhooks.ts";

const callback = "https://phone.example/integrations/callback";
const scope = "oauth crm.objects.contacts.read crm.objects.contacts.write";
const generous = { tenSecondly: 1_000, searchesASecond: 1_000, daily: 100_000 };

let sandbox: SandboxCrm;
let client: Client;
let refreshToken: string;

/** The vendor's own client parses every response, which shows that the sandbox's match the vendor's. */
beforeAll(async () => {
  sandbox = await startSandboxCrm({ file: null, publicUrl: new URL(callback) }, { limits: generous });
  client = new Client({ basePath: sandbox.address.origin });
  const url = new URL("https://app.example/oauth/authorize");
  url.search = new URLSearchParams({
    client_id: sandbox.clientId,
    redirect_uri: callback,
    scope,
    state: "s",
  }).toString();
  const back = answerConsent(sandbox, url.href, "allow").searchParams;
  const secret = sandbox.clientSecret ?? "";
  const tokens = await client.oauth.tokensApi.create(
    "authorization_code",
    back.get("code") ?? "",
    callback,
    sandbox.clientId,
    secret,
  );
  ({ refreshToken } = tokens);
  client.setAccessToken(tokens.accessToken);
});
afterAll(() => sandbox.close());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: { code: number }) => error.code,
  );

describe("the official client", () => {
  it("lists the owners, page by page", async () => {
    const first = await client.crm.owners.ownersApi.getPage(undefined, undefined, 2);
    const rest = await client.crm.owners.ownersApi.getPage(undefined, first.paging?.next?.after, 2);
    const names = [...first.results, ...rest.results].map((owner) => `${owner.firstName} ${owner.lastName}`);
    expect(names).toEqual(["Noor Blake", "Sam Ortiz", "Ida Holm"]);
  });

  it("refreshes with the same refresh token again and again", async () => {
    const ask = () =>
      client.oauth.tokensApi.create(
        "refresh_token",
        undefined,
        undefined,
        sandbox.clientId,
        sandbox.clientSecret ?? "",
        refreshToken,
      );
    const [first, second] = [await ask(), await ask()];
    expect([first.refreshToken, second.refreshToken]).toEqual([refreshToken, refreshToken]);
    expect(first.accessToken).not.toBe(second.accessToken);
    expect(first).toMatchObject({ tokenType: "bearer", expiresIn: 1800 });
  });

  it("lists every contact by pages of a hundred, with the requested properties", async () => {
    const first = await client.crm.contacts.basicApi.getPage(100, undefined, ["email", "phone"]);
    expect(first.results).toHaveLength(100);
    expect(first.results[0]?.properties).toMatchObject({ hs_object_id: "10001", phone: "+1 202-555-0100" });
    expect(first.results[0]?.createdAt).toBeInstanceOf(Date);
    expect(first.paging?.next?.after).toBe("10100");
    expect(await client.crm.contacts.getAll(100)).toHaveLength(250);
    expect(await codeOf(client.crm.contacts.basicApi.getPage(101))).toBe(400);
  });

  it("searches, sorts and pages, up to the first 10,000", async () => {
    const { FilterOperatorEnum } = await import("@hubspot/api-client/lib/codegen/crm/contacts/index.js");
    const search = {
      filterGroups: [
        { filters: [{ propertyName: "hs_object_id", operator: FilterOperatorEnum.Gt, value: "10200" }] },
        { filters: [{ propertyName: "phone", operator: FilterOperatorEnum.Eq, value: "+1 202-555-0100" }] },
      ],
      sorts: ["-hs_object_id"],
      properties: ["lastname"],
      limit: 20,
    };
    const first = await client.crm.contacts.searchApi.doSearch(search);
    expect([first.total, first.results[0]?.id, first.paging?.next?.after]).toEqual([51, "10250", "20"]);
    const last = await client.crm.contacts.searchApi.doSearch({ ...search, after: "40" });
    expect([last.results.length, last.results.at(-1)?.id, last.paging]).toEqual([11, "10001", undefined]);
    expect(await codeOf(client.crm.contacts.searchApi.doSearch({ ...search, after: "10000" }))).toBe(400);
    expect(await codeOf(client.crm.contacts.searchApi.doSearch({ ...search, limit: 201 }))).toBe(400);
  });

  it("reads several by their ids, and describes the properties", async () => {
    const inputs = [{ id: "10001" }, { id: "10002" }];
    const read = await client.crm.contacts.batchApi.read({ inputs, properties: ["email"], propertiesWithHistory: [] });
    expect(read.results.map(({ id }) => id)).toEqual(["10001", "10002"]);
    const { results } = await client.crm.properties.coreApi.getAll("contacts");
    expect(results.find(({ name }) => name === "hs_lead_status")?.options.map(({ value }) => value)).toContain("NEW");
  });

  it("creates, changes and archives a contact, which is then only among the archived ones", async () => {
    const properties = { firstname: "Nia", lastname: "Frost", email: "nia@frost.example" };
    const { id } = await client.crm.contacts.basicApi.create({ properties, associations: [] });
    expect(await codeOf(client.crm.contacts.basicApi.create({ properties, associations: [] }))).toBe(409);
    const changed = await client.crm.contacts.basicApi.update(id, { properties: { lastname: "Snow" } });
    expect(changed.properties["lastname"]).toBe("Snow");
    expect(changed.updatedAt.getTime()).toBeGreaterThan(changed.createdAt.getTime());
    await client.crm.contacts.basicApi.archive(id);
    expect(await codeOf(client.crm.contacts.basicApi.getById(id))).toBe(404);
    const gone = await client.crm.contacts.basicApi.getPage(10, undefined, [], undefined, undefined, true);
    expect(gone.results.map((one) => [one.id, one.archived])).toEqual([[id, true]]);
    expect(gone.results[0]?.archivedAt).toBeInstanceOf(Date);
  });

  it("merges two contacts: the other one's id leads to the first", async () => {
    const merged = await client.crm.contacts.basicApi.merge({ primaryObjectId: "10030", objectIdToMerge: "10031" });
    expect(merged.id).toBe("10030");
    const read = await client.crm.contacts.basicApi.getById("10031", ["hs_merged_object_ids"]);
    expect([read.id, read.properties["hs_merged_object_ids"]]).toEqual(["10030", "10031"]);
  });

  it("writes a call on a contact, changes it, and finds it by its external id", async () => {
    const { AssociationSpecAssociationCategoryEnum, FilterOperatorEnum } =
      await import("@hubspot/api-client/lib/codegen/crm/objects/calls/index.js");
    const calls = client.crm.objects.calls;
    const properties = {
      hs_timestamp: "2026-06-01T09:00:00Z",
      hs_call_direction: "OUTBOUND",
      hs_call_duration: "61000",
      hs_call_external_id: "call-1",
    };
    const types = [
      { associationCategory: AssociationSpecAssociationCategoryEnum.HubspotDefined, associationTypeId: 194 },
    ];
    const { id } = await calls.basicApi.create({ properties, associations: [{ to: { id: "10001" }, types }] });
    await calls.basicApi.update(id, { properties: { hs_call_body: "Left word" } });
    const filters = [{ propertyName: "hs_call_external_id", operator: FilterOperatorEnum.Eq, value: "call-1" }];
    const found = await calls.searchApi.doSearch({ filterGroups: [{ filters }], properties: ["hs_call_body"] });
    expect(found.results.map((one) => [one.id, one.properties["hs_call_body"]])).toEqual([[id, "Left word"]]);
    await client.crm.associations.v4.basicApi.createDefault("calls", id, "contacts", "10002");
    const ends = await client.crm.associations.v4.basicApi.getPage("calls", id, "contacts");
    expect(ends.results.map(({ toObjectId }) => String(toObjectId))).toEqual(["10001", "10002"]);
    expect(await codeOf(calls.basicApi.create({ properties: { hs_call_body: "x" }, associations: [] }))).toBe(400);
    const wrong = { ...properties, hs_call_disposition: "connected" };
    expect(await codeOf(calls.basicApi.create({ properties: wrong, associations: [] }))).toBe(400);
  });
});

describe("the official client’s signature check", () => {
  it.each<SignatureVersion>(["v1", "v3"])(
    "accepts the %s signatures of the sandbox’s webhooks",
    async (signatureVersion) => {
      const own = await startSandboxCrm({ file: null, publicUrl: null }, { signature: signatureVersion });
      const sent = new Promise<WebhookRequest>((resolve) => {
        const url = new URL("https://leadline.example/reports");
        own.sendWebhooks({ url, send: async (request) => (resolve(request), 204) });
      });
      const path = "/crm/v3/objects/contacts/10005";
      own.ask({ method: "PATCH", path, body: { properties: { lastname: "Signed" } } });
      const { method, url, headers, body } = await sent;
      const isV3 = signatureVersion === "v3";
      const options = {
        signatureVersion,
        method,
        url: url.href,
        requestBody: body,
        clientSecret: own.clientSecret ?? "",
        signature: headers[isV3 ? "x-hubspot-signature-v3" : "x-hubspot-signature"] ?? "",
        ...(isV3 && { timestamp: Number(headers["x-hubspot-request-timestamp"]) }),
      };
      expect(Signature.isValid(options)).toBe(true);
      expect(Signature.isValid({ ...options, requestBody: `${body} ` })).toBe(false);
      await own.close();
    },
  );
});

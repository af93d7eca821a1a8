import { createHmac } from "node:crypto";
import type { WebhookRequest } from "@leadline/crm-sandbox/send-webhooks";
import { sql } from "kysely";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { leadlineChanges } from "../../../testing/leadline-changes.ts";
import { ownMigratedDatabase } from "../../../testing/own-database.ts";
import { testApp } from "../../../testing/test-app.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  giveAccess,
  leadsOf,
  newAdmin,
  readIntegration,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";

// Every sandbox has the same account, so a report would reach other suites' integrations, whose access can't be
// decrypted here.
const database = await ownMigratedDatabase();
// Registered before the app’s own, so it runs after the app has closed.
afterAll(() => database.drop());
const app = testApp(undefined, database.url);
afterEach(() => {
  for (const service of ["hubspot", "podio"]) {
    app.crm.sandboxOf(service).sendWebhooks(null);
    app.crm.sandboxOf(service).faults.clear();
  }
});

const post = async ({ url, headers, body }: Pick<WebhookRequest, "url" | "headers" | "body">): Promise<number> => {
  const target = url.pathname + url.search;
  const answer = await app.http.inject({ method: "POST", url: target, headers, payload: body });
  return answer.statusCode;
};

/** From now on the sandbox reports to the app. Returns what it has sent. */
function report(service: string): { request: WebhookRequest; status: number }[] {
  const sent: { request: WebhookRequest; status: number }[] = [];
  app.crm.sandboxOf(service).sendWebhooks({
    url: new URL(`http://localhost/api/v1/crm-webhooks/${service}`),
    async send(request) {
      const status = await post(request);
      sent.push({ request, status });
      return status;
    },
  });
  return sent;
}

async function syncedAdmin(service: string): Promise<{ by: Admin; id: string }> {
  const by = await newAdmin(app);
  const id = await connectIntegration(app, by, service);
  await chooseSuggestedSource(app, by, id);
  await syncToTheEnd(app, by, id);
  return { by, id };
}

const nameOf = async (by: Admin, externalId: string) =>
  (await leadsOf(app, by)).find(({ external_id }) => external_id === externalId)?.last_name;
const changesOf = async ({ organisationId }: Admin) => {
  const { rows } = await app.database.withTransaction({ organisationId }, (tx) =>
    sql<{ event_id: string; applied: boolean }>`select event_id, applied_at is not null as applied from crm_changes
      where organisation_id = ${organisationId}`.execute(tx),
  );
  return rows;
};
const soon = { interval: 50 };

const hubspot = () => app.crm.sandboxOf("hubspot");
const rename = (lastname: string) =>
  hubspot().ask({ method: "PATCH", path: "/crm/v3/objects/contacts/10030", body: { properties: { lastname } } });

describe("HubSpot’s webhooks", () => {
  test("bring changes, deletions and merges without a sync", async () => {
    const { by } = await syncedAdmin("hubspot");
    const sent = report("hubspot");
    rename("Reported");
    hubspot().ask({ method: "DELETE", path: "/crm/v3/objects/contacts/10031" });
    const merge = { primaryObjectId: "10032", objectIdToMerge: "10033" };
    hubspot().ask({ method: "POST", path: "/crm/v3/objects/contacts/merge", body: merge });
    await vi.waitFor(async () => {
      expect(await nameOf(by, "10030")).toBe("Reported");
      const ids = (await leadsOf(app, by)).map(({ external_id }) => external_id);
      expect(ids).toContain("10032");
      expect(ids.filter((id) => id === "10031" || id === "10033")).toEqual([]);
      expect(sent.map(({ status }) => status)).toEqual([204, 204, 204]);
    }, soon);
    const entries = (await leadlineChanges(app, by)).filter(({ action }) => action === "leads.synced");
    expect(entries.flatMap(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ kind: "leads", after: expect.objectContaining({ last_name: "Reported" }) }),
    );
  });

  test("delivered twice are recorded and applied once", async () => {
    const { by } = await syncedAdmin("hubspot");
    const sent = report("hubspot");
    rename("First");
    await vi.waitFor(async () => expect([sent.length, await nameOf(by, "10030")]).toEqual([1, "First"]), soon);
    hubspot().sendWebhooks(null);
    rename("Second");
    const [first] = sent;
    if (first === undefined) throw new Error("nothing was sent");
    expect(await Promise.all([post(first.request), post(first.request)])).toEqual([204, 204]);
    const recorded = await changesOf(by);
    expect(recorded).toEqual([{ event_id: expect.any(String), applied: true }]);
    // A report that is replayed reads nothing.
    expect(await nameOf(by, "10030")).toBe("First");
  });

  test("wait while the CRM doesn’t respond, and have no effect for accounts that aren’t connected", async () => {
    const { by, id } = await syncedAdmin("hubspot");
    report("hubspot");
    hubspot().faults.add({ path: /batch\/read/, status: 429, headers: { "retry-after": "1" } });
    rename("Patient");
    await vi.waitFor(async () => expect(await nameOf(by, "10030")).toBe("Patient"), soon);
    await app.ask("DELETE", `/v1/integrations/${id}`, { token: by.token });
    rename("Unheard");
    await vi.waitFor(async () => expect(await changesOf(by)).toEqual([]), soon);
    const names = (await leadsOf(app, by)).map(({ last_name }) => last_name);
    expect([names.includes("Patient"), names.includes("Unheard")]).toEqual([true, false]);
  });

  test("that find the access revoked ask for a new connection, and are applied with it", async () => {
    const { by, id } = await syncedAdmin("hubspot");
    report("hubspot");
    hubspot().expireAccess();
    hubspot().endAllGrants();
    rename("Read later");
    await vi.waitFor(
      async () => expect((await readIntegration(app, by, id)).problem).toMatch(/Connect it again/),
      soon,
    );
    expect(await changesOf(by)).toMatchObject([{ applied: false }]);
    await giveAccess(app, by, id, "hubspot");
    await vi.waitFor(async () => expect(await changesOf(by)).toMatchObject([{ applied: true }]), soon);
    expect(await nameOf(by, "10030")).toBe("Read later");
  });
});

describe("Podio’s hooks", () => {
  const podio = () => app.crm.sandboxOf("podio");
  const path = "/item/2800000030";

  test("are created and verified by a sync, and report changes and deletions", async () => {
    const sent = report("podio");
    const { by } = await syncedAdmin("podio");
    const hooks = () => JSON.parse(podio().ask({ method: "GET", path: "/hook/app/25110001/" }).body);
    await vi.waitFor(() => {
      expect(hooks().map(({ type, status }: Record<string, string>) => [type, status])).toEqual([
        ["item.create", "active"],
        ["item.update", "active"],
        ["item.delete", "active"],
      ]);
    }, soon);
    podio().ask({ method: "PUT", path, body: { fields: { "last-name": "Hooked" } } });
    podio().ask({ method: "DELETE", path: "/item/2800000031" });
    await vi.waitFor(async () => {
      expect(await nameOf(by, "2800000030")).toBe("Hooked");
      expect(await nameOf(by, "2800000031")).toBeUndefined();
    }, soon);
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([204]));
  });

  describe("of an integration", () => {
    const hooks = (appId = 25_110_001): { url: string }[] =>
      JSON.parse(podio().ask({ method: "GET", path: `/hook/app/${appId}/` }).body);
    const hooksOf = (id: string) => hooks().filter(({ url }) => url.includes(id));
    async function hooked() {
      const sent = report("podio");
      const { by, id } = await syncedAdmin("podio");
      await vi.waitFor(() => {
        expect(hooksOf(id)).toHaveLength(3);
        expect(sent.filter(({ request }) => request.url.href.includes(id))).toHaveLength(3);
      }, soon);
      return { by, id, sent };
    }

    test("are deleted when it is disconnected or removed", async () => {
      const first = await hooked();
      await app.ask("POST", `/v1/integrations/${first.id}/disconnect`, { token: first.by.token });
      expect(hooksOf(first.id)).toEqual([]);
      const second = await hooked();
      await app.ask("DELETE", `/v1/integrations/${second.id}`, { token: second.by.token });
      expect(hooksOf(second.id)).toEqual([]);
    });

    test("are deleted when another source is chosen", async () => {
      const { by, id } = await hooked();
      const { token } = by;
      const sources: { id: string; name: string }[] = (
        await app.ask("GET", `/v1/integrations/${id}/sources`, { token })
      ).json();
      const source = sources.find(({ name }) => name === "Inventory")?.id ?? "";
      const { suggested } = (await app.ask("GET", `/v1/integrations/${id}/sources/${source}`, { token })).json();
      const body = { source, fields: suggested };
      expect((await app.ask("PUT", `/v1/integrations/${id}/mapping`, { token, body })).statusCode).toBe(200);
      expect(hooksOf(id)).toEqual([]);
    });

    test("that stay because the CRM didn’t respond are ignored once it is disconnected", async () => {
      const { by, id, sent } = await hooked();
      podio().faults.add({ path: /^\/hook\/app/, status: 500 });
      await app.ask("POST", `/v1/integrations/${id}/disconnect`, { token: by.token });
      expect(hooksOf(id)).toHaveLength(3);
      podio().ask({ method: "PUT", path, body: { fields: { "last-name": "Ignored" } } });
      const ofHooks = () => sent.filter(({ request }) => request.url.href.includes(id)).map(({ status }) => status);
      await vi.waitFor(() => expect(ofHooks()).toEqual([204, 204, 204, 204]), soon);
      expect(await changesOf(by)).toEqual([]);
    });
  });

  test("are refused without a key, with another integration's key, or with another CRM's key", async () => {
    const { id } = await syncedAdmin("podio");
    const other = await syncedAdmin("hubspot");
    const body = "type=item.update&hook_id=1&item_id=2800000030&item_revision_id=9";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const forged = createHmac("sha256", "guess").update(id).digest("base64url");
    const keys = ["", "?key=", `?key=${id}`, `?key=${id}.${forged}`, `?key=${other.id}.${forged}`];
    for (const key of keys) {
      const url = new URL(`http://localhost/api/v1/crm-webhooks/podio${key}`);
      expect([key, await post({ url, headers, body })]).toEqual([key, 403]);
    }
  });
});

test("a CRM without webhooks has no such address, and a body that is too large is refused", async () => {
  const body = { any: "thing" };
  expect((await app.ask("POST", "/v1/crm-webhooks/salesforce", { body })).statusCode).toBe(404);
  expect((await app.ask("POST", "/v1/crm-webhooks/hubspot", { body })).statusCode).toBe(403);
  const large = { any: "x".repeat(300_000) };
  expect((await app.ask("POST", "/v1/crm-webhooks/hubspot", { body: large })).statusCode).toBe(413);
});

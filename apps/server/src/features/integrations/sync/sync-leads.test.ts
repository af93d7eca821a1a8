import { randomUUID } from "node:crypto";
import { CrmError } from "@leadline/adapter-kit/crm";
import { afterEach, describe, expect, test } from "vitest";
import type { Tx } from "../../../db/transaction.ts";
import { leadlineChanges } from "../../../testing/leadline-changes.ts";
import { openEventStream } from "../../../testing/open-event-stream.ts";
import { testApp } from "../../../testing/test-app.ts";
import {
  type Admin,
  askForAccess,
  connectIntegration,
  leadsOf,
  newAdmin,
  readIntegration,
  startSync,
  syncToTheEnd,
  waitForRun,
} from "../../../testing/test-integrations.ts";
import { readGrant, withCrmGrant } from "../access/crm-access.ts";
import { findCursor } from "./sync-cursors.table.ts";
import { syncLeads } from "./sync-leads.ts";
import { insertOrFindLiveRun } from "./sync-runs.table.ts";

const app = testApp();
// Faults left over by a test must not affect the next one.
afterEach(() => app.crm.sandbox.faults.clear());

const leadPath = "/services/data/v62.0/sobjects/Lead";
const api = /^\/services\/data/;
const someLeadIds = (): string[] => {
  const q = new URLSearchParams({ q: "SELECT Id FROM Lead ORDER BY Id LIMIT 60" });
  const { body } = app.crm.sandbox.ask({ method: "GET", path: `/services/data/v62.0/query?${q}` });
  return JSON.parse(body).records.map(({ Id }: { Id: string }) => Id);
};

describe("a sync", () => {
  test("imports every lead and shows its progress, and a second one imports nothing twice", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    const origin = await app.http.listen({ port: 0, host: "127.0.0.1" });
    const stream = await openEventStream(origin, { token: by.token });
    await stream.until(() => stream.events.length === 1);
    const total = app.crm.sandbox.leadCount();
    const run = await syncToTheEnd(app, by, id);
    expect(run).toMatchObject({ status: "completed", total, read: total, created: total, updated: 0, problem: null });
    const ended = () => stream.events.some(({ data }) => data?.includes('"completed"'));
    await stream.until(ended);
    const progress = stream.events
      .filter(({ event }) => event === "sync.updated")
      .map(({ data }) => JSON.parse(data ?? "{}"));
    expect(progress.map(({ status, read }) => [status, read])).toEqual([
      ["queued", 0],
      ["running", 100],
      ["running", 200],
      ["completed", total],
    ]);
    expect(progress[1]).toMatchObject({ integrationId: id, total });
    stream.close();

    const leads = await leadsOf(app, by);
    expect(leads).toHaveLength(total);
    expect(leads.map(({ phone_number }) => phone_number)).toEqual(
      expect.arrayContaining(["+12025550100", "+12025550109"]),
    );
    expect(new Set(leads.map(({ status }) => status))).toEqual(new Set(["New", "Working", "Qualified", "Unqualified"]));
    const second = await syncToTheEnd(app, by, id);
    expect(second).toMatchObject({ status: "completed", created: 0, updated: 0, deleted: 0 });
    expect(await leadsOf(app, by)).toHaveLength(total);
    const runs = await app.ask("GET", `/v1/integrations/${id}/syncs`, { token: by.token });
    expect(runs.json()).toMatchObject([{ id: second.id }, { id: run.id }]);
  });

  test("later brings what was added, changed and deleted there", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    await syncToTheEnd(app, by, id);
    const [first = "", second = ""] = someLeadIds();
    app.crm.sandbox.ask({ method: "PATCH", path: `${leadPath}/${first}`, body: { LastName: "Newname" } });
    app.crm.sandbox.ask({ method: "DELETE", path: `${leadPath}/${second}` });
    const made = app.crm.sandbox.ask({
      method: "POST",
      path: leadPath,
      body: { LastName: "Brandnew", Company: "Newco" },
    });
    const run = await syncToTheEnd(app, by, id);
    expect(run).toMatchObject({ created: 1, updated: 1, deleted: 1 });
    const leads = new Map((await leadsOf(app, by)).map((lead) => [lead.external_id, lead]));
    expect(leads.get(first)).toMatchObject({ last_name: "Newname" });
    expect(leads.has(second)).toBe(false);
    expect(leads.get(JSON.parse(made.body).id)).toMatchObject({ last_name: "Brandnew", first_name: "" });
    // One entry for each sync, not for each lead.
    const synced = (after: object) => ({
      action: "leads.synced",
      changes: [{ kind: "sync_runs", subject: "Harbour CRM", before: null, after }],
    });
    expect(await leadlineChanges(app, by)).toMatchObject([
      synced({ leads_added: 1, leads_changed: 1, leads_deleted: 1 }),
      synced({ leads_added: expect.any(Number) }),
    ]);
  });

  test("matches on the external id and never on the email address", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    const twin = { LastName: "Twin", Company: "Twins", Email: "twin@example.com" };
    for (let made = 0; made < 2; made += 1) app.crm.sandbox.ask({ method: "POST", path: leadPath, body: twin });
    await syncToTheEnd(app, by, id);
    expect((await leadsOf(app, by)).filter(({ last_name }) => last_name === "Twin")).toHaveLength(2);
  });

  test("runs one at a time: a request meanwhile returns the one in progress", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    app.crm.sandbox.faults.add({ path: api, delayMs: 500 });
    const runs = await Promise.all(Array.from({ length: 5 }, () => startSync(app, by, id)));
    expect(new Set(runs.map((run) => run.id)).size).toBe(1);
    await waitForRun(app, { by, id, until: (run) => run.status === "completed" });
    expect((await app.ask("GET", `/v1/integrations/${id}/syncs`, { token: by.token })).json()).toHaveLength(1);
    expect(await leadsOf(app, by)).toHaveLength(app.crm.sandbox.leadCount());
  });

  /** A run that has stored one page; another server then reads the next one, and before it stores that page, this happens. */
  async function readingSecondPage(by: Admin, integrationId: string, beforeStoring: () => Promise<unknown>) {
    const { organisationId } = by;
    const runId = randomUUID();
    const run = { id: runId, organisationId, integrationId, scheduled: false, comparesAll: false };
    await app.database.withTransaction({ organisationId }, (tx) => insertOrFindLiveRun(tx, run));
    const deps = app.crm.openDeps();
    expect(await syncLeads(deps, { runId, organisationId, sliceMs: 0 })).toEqual({ is: "unfinished" });
    const salesforce = deps.crms.find("salesforce");
    if (!salesforce) throw new Error("there is no such CRM");
    const { module, crm } = salesforce;
    const readLeads: typeof crm.readLeads = async (...asked) => {
      const page = await crm.readLeads(...asked);
      await beforeStoring();
      return page;
    };
    const crms = { ...deps.crms, find: () => ({ module, crm: { ...crm, readLeads } }) };
    return syncLeads({ ...deps, crms }, { runId, organisationId, sliceMs: 0 });
  }

  test("stops if its integration is removed meanwhile, and leaves no orphaned lead", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    const remove = async () =>
      expect((await app.ask("DELETE", `/v1/integrations/${id}`, { token: by.token })).statusCode).toBe(204);
    expect(await readingSecondPage(by, id, remove)).toEqual({ is: "ended" });
    const leads = await leadsOf(app, by);
    expect(leads).toHaveLength(100);
    expect(new Set(leads.map(({ integration_id }) => integration_id))).toEqual(new Set([null]));
  });

  test("stores no page that was read from an outdated cursor, as when another account is connected", async () => {
    const by = await newAdmin(app);
    const integrationId = await connectIntegration(app, by);
    const { organisationId } = by;
    const inScope = <T>(work: (tx: Tx) => Promise<T>) => app.database.withTransaction({ organisationId }, work);
    // No page is counted, so the run alone would accept the next page.
    const moveCursor = () => inScope((tx) => tx.updateTable("integrations").set({ sync_cursor: null }).execute());
    expect(await readingSecondPage(by, integrationId, moveCursor)).toEqual({ is: "ended" });
    expect(await leadsOf(app, by)).toHaveLength(100);
    expect(await inScope((tx) => findCursor(tx, { organisationId, integrationId }))).toBeNull();
  });

  test("isn't held up by a worker whose page fails after another worker has stored it", async () => {
    const by = await newAdmin(app);
    const integrationId = await connectIntegration(app, by);
    const { organisationId } = by;
    const runId = randomUUID();
    await app.database.withTransaction({ organisationId }, (tx) =>
      insertOrFindLiveRun(tx, { id: runId, organisationId, integrationId, scheduled: false, comparesAll: false }),
    );
    const deps = app.crm.openDeps();
    const salesforce = deps.crms.find("salesforce");
    if (!salesforce) throw new Error("there is no such CRM");
    const { module, crm } = salesforce;
    const readLeads = async (): Promise<never> => {
      const other = await syncLeads(app.crm.openDeps(), { runId, organisationId, sliceMs: 0 });
      expect(other).toEqual({ is: "unfinished" });
      throw new CrmError("unreachable", "The CRM didn't answer this worker.");
    };
    const crms = { ...deps.crms, find: () => ({ module, crm: { ...crm, readLeads } }) };
    expect(await syncLeads({ ...deps, crms }, { runId, organisationId, sliceMs: 60_000 })).toEqual({ is: "ended" });
    expect((await readIntegration(app, by, integrationId)).lastSync).toMatchObject({
      status: "running",
      read: 100,
      problem: null,
      retryAt: null,
    });
  });
});

describe("a CRM in trouble", () => {
  test.each([
    ["asks to slow down", { status: 429, headers: { "retry-after": "1" } }, "Salesforce asks to slow down."],
    ["fails", { status: 500, headers: { "retry-after": "1" } }, "Salesforce is having problems right now."],
    [
      "has used up its calls",
      { status: 403, errorCode: "REQUEST_LIMIT_EXCEEDED", headers: { "retry-after": "1" } },
      "Your Salesforce organisation has used up its API calls for now.",
    ],
  ])("that %s is waited for, and the sync continues with its page", async (_, fault, sentence) => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    app.crm.sandbox.faults.add({ path: api, after: 1, ...fault });
    await startSync(app, by, id);
    const waiting = await waitForRun(app, { by, id, until: (run) => run.problem !== null });
    expect(waiting).toMatchObject({ status: "running", read: 100, problem: sentence });
    expect(waiting.retryAt).not.toBeNull();
    const run = await waitForRun(app, { by, id, until: ({ status }) => status === "completed" });
    expect(run).toMatchObject({
      read: app.crm.sandbox.leadCount(),
      created: app.crm.sandbox.leadCount(),
      problem: null,
    });
  });

  test("that refuses permanently fails the run with its reason, and the next run starts where this one stopped", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    app.crm.sandbox.faults.add({ path: api, after: 1, status: 403, errorCode: "API_DISABLED_FOR_ORG" });
    const failed = await syncToTheEnd(app, by, id);
    expect(failed).toMatchObject({ status: "failed", read: 100, problem: expect.stringContaining("refused") });
    const next = await syncToTheEnd(app, by, id);
    expect(next).toMatchObject({ status: "completed", created: app.crm.sandbox.leadCount() - 100 });
  });
});

describe("access", () => {
  test("that has expired is refreshed once, and the new tokens are stored", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    app.crm.sandbox.expireAccess();
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed" });
    app.crm.sandbox.expireAccess();
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed" });
  });

  test("that was revoked ends the run with 'connect it again', and reconnecting continues from there", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    await syncToTheEnd(app, by, id);
    app.crm.sandbox.endAllGrants();
    const failed = await syncToTheEnd(app, by, id);
    expect(failed).toMatchObject({ status: "failed", problem: expect.stringContaining("Connect it again") });
    const broken = await readIntegration(app, by, id);
    expect(broken).toMatchObject({ status: "active", problem: failed.problem });
    const refused = await app.ask("POST", `/v1/integrations/${id}/sync`, { token: by.token });
    expect(refused.json()).toMatchObject({ type: "/api/docs#integration-not-connected", detail: failed.problem });
    const body = await askForAccess(app, by, id);
    await app.ask("POST", "/v1/integrations/salesforce/callback", { token: by.token, body });
    expect(await readIntegration(app, by, id)).toMatchObject({ status: "active", problem: null });
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed", created: 0 });
  });

  test("is refreshed by only one of two concurrent workers, and the other uses the result", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    const integration = {
      ...(await readIntegration(app, by, id)),
      organisationId: by.organisationId,
      workspace: app.crm.sandbox.domain,
      accountId: null,
      mapping: null,
    };
    const workers = [app.crm.openDeps(), app.crm.openDeps(), app.crm.openDeps()];
    app.crm.sandbox.expireAccess();
    app.crm.sandbox.faults.add({ path: /oauth2\/token/, delayMs: 300 });
    const before = await readGrant(workers[0] ?? app.crm.openDeps(), integration);
    const read = await Promise.all(
      workers.map((deps) =>
        withCrmGrant(deps, integration, async (grant) => {
          const page = await deps.crms.find("salesforce")?.crm.readLeads(grant, null, null);
          return page?.leads.length;
        }),
      ),
    );
    expect(read).toEqual([100, 100, 100]);
    const after = await readGrant(app.crm.openDeps(), integration);
    expect(after.generation).toBe(before.generation + 1);
    // A second refresh with the same token would have revoked the whole grant.
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed" });
  });

  test("that was encrypted with another key asks to be reconnected instead of failing silently", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
      tx
        .updateTable("crm_grants")
        .set({ sealed_grant: "v1.00000000.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA.AAAA" })
        .where("integration_id", "=", id)
        .execute(),
    );
    expect(await syncToTheEnd(app, by, id)).toMatchObject({
      status: "failed",
      problem: expect.stringContaining("Connect it again"),
    });
  });
});

import type { SyncRun } from "@leadline/contract/integrations";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { scheduledSyncs } from "../../../testing/scheduled-syncs.ts";
import { testApp } from "../../../testing/test-app.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  giveAccess,
  leadsOf,
  newAdmin,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { purgeRemovedJob } from "../../lead-changes/purge-removed.ts";
import { upsertLeads } from "../../leads/sync/upsert-leads.ts";
import { findIntegration } from "../integrations.table.ts";

const app = testApp();
const { change, schedule, goOn, letPass } = scheduledSyncs(app);
const eightDays = 8 * 24 * 60;

async function synced(service: string) {
  const by = await newAdmin(app);
  const id = await connectIntegration(app, by, service);
  await chooseSuggestedSource(app, by, id);
  await syncToTheEnd(app, by, id);
  return { by, id };
}
const newestRun = async (by: Admin, id: string): Promise<SyncRun> =>
  (await app.ask("GET", `/v1/integrations/${id}/syncs`, { token: by.token })).json()[0];
const idsOf = async (by: Admin): Promise<(string | null)[]> => (await leadsOf(app, by)).map((lead) => lead.external_id);
const inPodio = (method: string, itemId: number, body?: object) =>
  app.crm.sandboxOf("podio").ask({ method, path: `/item/${itemId}`, ...(body && { body }) });

describe("the weekly full comparison", () => {
  test("removes leads that were deleted in a CRM without a deletion list, and keeps those with notes", async () => {
    const { by, id } = await synced("podio");
    const [gone, worked] = [2_800_000_101, 2_800_000_102];
    const leads: { id: string; externalId: string }[] = await app.database.withTransaction(
      { organisationId: by.organisationId },
      (tx) =>
        tx
          .selectFrom("leads")
          .select(["id", "external_id as externalId"])
          .where("external_id", "=", String(worked))
          .$narrowType<{ externalId: string }>()
          .execute(),
    );
    const note = { id: crypto.randomUUID(), text: "Asks for a quote" };
    await app.ask("POST", `/v1/leads/${leads[0]?.id}/notes`, { token: by.token, body: note });
    for (const itemId of [gone, worked]) inPodio("DELETE", itemId);

    await letPass(by, 6);
    await schedule(by);
    expect(await newestRun(by, id)).toMatchObject({ comparesAll: false, deleted: 0 });
    expect(await idsOf(by)).toContain(String(gone));

    await letPass(by, eightDays);
    await schedule(by);
    const count = app.crm.sandboxOf("podio").leadCount();
    expect(await newestRun(by, id)).toMatchObject({
      comparesAll: true,
      status: "completed",
      read: count,
      created: 0,
      updated: 0,
      deleted: 1,
      kept: 1,
    });
    const left = await leadsOf(app, by);
    expect(left.filter((lead) => lead.external_id !== null)).toHaveLength(count);
    expect(left.filter((lead) => lead.external_id === null)).toHaveLength(1);

    await letPass(by, 6);
    await schedule(by);
    expect(await newestRun(by, id)).toMatchObject({ comparesAll: false, status: "completed" });
  });

  test("keeps the lead of a record that is there but left out", async () => {
    const { by, id } = await synced("podio");
    const itemId = 2_800_000_103;
    const before = (await leadsOf(app, by)).find((lead) => lead.external_id === String(itemId));
    inPodio("PUT", itemId, { fields: { "first-name": [], "last-name": [], email: [], phone: [] } });
    await letPass(by, eightDays);
    await schedule(by);
    expect(await newestRun(by, id)).toMatchObject({ comparesAll: true, status: "completed", failed: 1, deleted: 0 });
    expect((await leadsOf(app, by)).find((lead) => lead.external_id === String(itemId))).toEqual(before);
  });

  test("resumes after the server stops midway", async () => {
    const { by, id } = await synced("salesforce");
    await letPass(by, eightDays);
    const [runId = ""] = await schedule(by, { sliceMs: 0 });
    expect(await newestRun(by, id)).toMatchObject({ id: runId, status: "running", read: 100 });
    const count = app.crm.sandbox.leadCount();
    expect(await goOn(by, runId)).toEqual({ is: "ended" });
    expect(await newestRun(by, id)).toMatchObject({ status: "completed", read: count, deleted: 0, kept: 0 });
    expect(await idsOf(by)).toHaveLength(count);
  });
});

describe("a lead that is deleted here", () => {
  const firstLead = (by: Admin) =>
    app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
      tx
        .selectFrom("leads")
        .select(["id", "external_id as externalId"])
        .orderBy("position")
        .$narrowType<{ externalId: string }>()
        .executeTakeFirstOrThrow(),
    );
  const compare = async (by: Admin, id: string): Promise<SyncRun> => {
    await letPass(by, eightDays);
    await schedule(by);
    return newestRun(by, id);
  };
  const remove = (by: Admin, leadId: string) => app.ask("DELETE", `/v1/leads/${leadId}`, { token: by.token });
  const rename = (externalId: string) =>
    app.crm.sandbox.ask({
      method: "PATCH",
      path: `/services/data/v62.0/sobjects/Lead/${externalId}`,
      body: { LastName: "Renamed" },
    });

  test("isn't imported again by a sync or a full comparison, even if it changes in the CRM", async () => {
    const { by, id } = await synced("salesforce");
    const { id: leadId, externalId } = await firstLead(by);
    expect((await remove(by, leadId)).statusCode).toBe(204);
    const left = await idsOf(by);
    expect(left).not.toContain(externalId);
    rename(externalId);
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed", created: 0 });
    expect(await compare(by, id)).toMatchObject({
      comparesAll: true,
      status: "completed",
      read: app.crm.sandbox.leadCount(),
      created: 0,
      deleted: 0,
    });
    expect(await idsOf(by)).toEqual(left);
  });

  test("with others stays deleted once that can't be undone, like the lead that was merged into it", async () => {
    const { by, id } = await synced("salesforce");
    const [kept, merged, other] = await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
      tx.selectFrom("leads").select("id").orderBy("position").limit(3).execute(),
    );
    const { token } = by;
    const body = { keepId: kept?.id, otherIds: [merged?.id] };
    expect((await app.ask("POST", "/v1/lead-merges", { token, body })).statusCode).toBeLessThan(300);
    const doomed = { ids: [kept?.id, other?.id], action: { kind: "delete" } };
    expect((await app.ask("POST", "/v1/lead-changes", { token, body: doomed })).json()).toMatchObject({ changed: 2 });
    await change(
      by,
      sql`update lead_changes set undo_until = '2026-01-01' where organisation_id = ${by.organisationId}`,
    );
    await purgeRemovedJob(app.database).run({}, { enqueue: async () => {} });
    expect(await compare(by, id)).toMatchObject({ comparesAll: true, status: "completed", created: 0 });
    expect(await idsOf(by)).toHaveLength(app.crm.sandbox.leadCount() - 3);
  });

  test("is imported again once its integration is removed and the account connected anew", async () => {
    const { by, id } = await synced("salesforce");
    const { id: leadId } = await firstLead(by);
    await remove(by, leadId);
    await app.ask("DELETE", `/v1/integrations/${id}`, { token: by.token });
    const again = await connectIntegration(app, by);
    expect(await syncToTheEnd(app, by, again)).toMatchObject({ status: "completed", created: 1 });
    expect(await idsOf(by)).toHaveLength(app.crm.sandbox.leadCount());
  });

  test("while a sync stores a page with it doesn't come back with that page", async () => {
    const { by, id } = await synced("salesforce");
    const { id: leadId, externalId } = await firstLead(by);
    const key = { organisationId: by.organisationId, integrationId: id };
    let removing = Promise.resolve<{ statusCode: number } | null>(null);
    await app.database.withTransaction({ organisationId: by.organisationId }, async (tx) => {
      await findIntegration(tx, key, { lock: true });
      removing = remove(by, leadId);
      let isOver = false;
      void removing.then(() => (isOver = true));
      const waiting = sql`select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`;
      await vi.waitFor(async () => expect(isOver || (await waiting.execute(tx)).rows.length > 0).toBe(true), 30_000);
      const lead = { externalId, firstName: "Bob", lastName: "Stone", email: "", phone: "" };
      await upsertLeads(tx, { ...key, leads: [lead], asOf: new Date().toISOString() });
    });
    expect((await removing)?.statusCode).toBe(204);
    expect(await idsOf(by)).not.toContain(externalId);
  });
});

test("detaches leads when another source is chosen, and reattaches them when it is chosen again", async () => {
  const { by, id } = await synced("podio");
  const count = (await leadsOf(app, by)).length;
  const { token } = by;
  const sources: { id: string; name: string }[] = (
    await app.ask("GET", `/v1/integrations/${id}/sources`, { token })
  ).json();
  const inventory = sources.find(({ name }) => name === "Inventory")?.id ?? "";
  const { suggested } = (await app.ask("GET", `/v1/integrations/${id}/sources/${inventory}`, { token })).json();
  const body = { source: inventory, fields: suggested };
  expect((await app.ask("PUT", `/v1/integrations/${id}/mapping`, { token, body })).statusCode).toBe(200);
  await syncToTheEnd(app, by, id);
  await letPass(by, eightDays);
  await schedule(by);
  expect(await newestRun(by, id)).toMatchObject({ comparesAll: true, status: "completed", deleted: 0, kept: 0 });
  expect((await idsOf(by)).filter((externalId) => externalId === null)).toHaveLength(count);

  await chooseSuggestedSource(app, by, id);
  await syncToTheEnd(app, by, id);
  expect((await leadsOf(app, by)).filter((lead) => lead.external_id !== null).length).toBe(count);
});

test("detaches leads when another account is connected", async () => {
  const { by, id } = await synced("salesforce");
  const count = (await leadsOf(app, by)).length;
  await change(by, sql`update integrations set account_id = 'another' where id = ${id}`);
  await giveAccess(app, by, id);
  expect((await idsOf(by)).filter((externalId) => externalId === null)).toHaveLength(count);
});

test("removes nothing and fails the sync when more than half of the leads are missing", async () => {
  const { by, id } = await synced("podio");
  const before = await leadsOf(app, by);
  const gone = before.slice(0, Math.ceil(before.length * 0.6));
  for (const { external_id } of gone) inPodio("DELETE", Number(external_id));
  await letPass(by, eightDays);
  await schedule(by);
  expect(await newestRun(by, id)).toMatchObject({
    status: "failed",
    deleted: 0,
    problem: expect.stringContaining(
      `Podio returned only ${before.length - gone.length} of your ${before.length} leads`,
    ),
  });
  expect(await leadsOf(app, by)).toHaveLength(before.length);
  // Not every hour.
  await letPass(by, 61);
  await schedule(by);
  expect(await newestRun(by, id)).toMatchObject({ status: "completed", comparesAll: false });
});

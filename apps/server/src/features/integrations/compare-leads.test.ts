import type { CrmService, SyncRun } from "@leadline/contract/integrations";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { scheduledSyncs } from "../../testing/scheduled-syncs.ts";
import { testApp } from "../../testing/test-app.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  giveAccess,
  leadsOf,
  newAdmin,
  syncToTheEnd,
} from "../../testing/test-integrations.ts";

const app = testApp();
const { change, schedule, goOn, letPass } = scheduledSyncs(app);
const eightDays = 8 * 24 * 60;

async function synced(service: CrmService) {
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

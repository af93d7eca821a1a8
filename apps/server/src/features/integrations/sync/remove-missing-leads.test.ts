import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import { type Admin, connectIntegration, leadsOf, newAdmin, syncToTheEnd } from "../../../testing/test-integrations.ts";
import { recordSeenLeads, stopComparing } from "./comparisons.table.ts";
import { removeMissingLeads } from "./remove-missing-leads.ts";
import { insertOrFindLiveRun, touchRun } from "./sync-runs.table.ts";

const app = testApp();

async function synced() {
  const by = await newAdmin(app);
  const integrationId = await connectIntegration(app, by);
  await syncToTheEnd(app, by, integrationId);
  return { by, key: { organisationId: by.organisationId, integrationId } };
}

/** A full comparison that has seen these leads and is about to remove the others. */
function comparisonOf(key: { organisationId: string; integrationId: string }, seen: readonly (string | null)[]) {
  const { organisationId } = key;
  const run = { ...key, id: randomUUID(), scheduled: true, comparesAll: true };
  return app.database.withTransaction({ organisationId }, async (tx) => {
    await insertOrFindLiveRun(tx, run);
    const externalIds = seen.flatMap((id) => id ?? []);
    await recordSeenLeads(tx, { runId: run.id, organisationId, externalIds });
    await tx.updateTable("sync_runs").set({ comparing: "removing" }).where("id", "=", run.id).execute();
    const stored = await touchRun(tx, run.id);
    if (stored === null) throw new Error("the run has ended");
    return stored;
  });
}
const idsOf = async (by: Admin) => (await leadsOf(app, by)).map((lead) => lead.external_id);

test("removes nothing and fails the sync when all of a few leads are missing", async () => {
  const { by, key } = await synced();
  const few = (await idsOf(by)).slice(0, 2);
  await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
    sql`delete from leads where organisation_id = ${by.organisationId} and external_id <> all(${few}::text[])`.execute(
      tx,
    ),
  );
  const next = await removeMissingLeads(app.crm.openDeps(), await comparisonOf(key, []));
  const problem = expect.stringContaining("returned only 0 of your 2 leads");
  expect(next?.run).toMatchObject({ status: "failed", deleted: 0, problem });
  expect(await idsOf(by)).toEqual(few);
});

test("removes a few leads of which one is left", async () => {
  const { by, key } = await synced();
  const [seen = null, ...others] = (await idsOf(by)).slice(0, 3);
  await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
    sql`delete from leads where organisation_id = ${by.organisationId}
      and external_id <> all(${[seen, ...others]}::text[])`.execute(tx),
  );
  const next = await removeMissingLeads(app.crm.openDeps(), await comparisonOf(key, [seen]));
  expect(next?.run).toMatchObject({ status: "completed", deleted: 2 });
  expect(await idsOf(by)).toEqual([seen]);
});

test("removes nothing if another account or mapping came after the run was read", async () => {
  const { by, key } = await synced();
  const before = await idsOf(by);
  const stored = await comparisonOf(key, before.slice(1));
  await app.database.withTransaction({ organisationId: by.organisationId }, (tx) => stopComparing(tx, key));
  const next = await removeMissingLeads(app.crm.openDeps(), stored);
  expect(next).toMatchObject({ comparing: null, run: { endedAt: null, problem: null, deleted: 0 } });
  expect(await idsOf(by)).toEqual(before);
});

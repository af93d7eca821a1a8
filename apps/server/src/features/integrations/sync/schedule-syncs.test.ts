import type { SyncRun } from "@leadline/contract/integrations";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { scheduledSyncs } from "../../../testing/scheduled-syncs.ts";
import { testApp } from "../../../testing/test-app.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  leadsOf,
  newAdmin,
  startSync,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";

const app = testApp();
const { change, schedule, letPass } = scheduledSyncs(app);

let admin: Admin;
let id: string;
beforeEach(async () => {
  admin = await newAdmin(app);
  id = await connectIntegration(app, admin);
});

const runs = async (): Promise<SyncRun[]> =>
  (await app.ask("GET", `/v1/integrations/${id}/syncs`, { token: admin.token })).json();

test("syncs changes minutes after the last sync ended", async () => {
  await syncToTheEnd(app, admin, id);
  expect(await schedule(admin)).toHaveLength(0);
  const externalId = (await leadsOf(app, admin))[0]?.external_id ?? "";
  const path = `/services/data/v62.0/sobjects/Lead/${externalId}`;
  app.crm.sandbox.ask({ method: "PATCH", path, body: { LastName: "Renamed" } });
  await letPass(admin, 6);
  expect(await schedule(admin)).toHaveLength(1);
  expect((await runs())[0]).toMatchObject({ scheduled: true, status: "completed", updated: 1 });
  const renamed = (await leadsOf(app, admin)).find((lead) => lead.external_id === externalId);
  expect(renamed?.last_name).toBe("Renamed");
});

test("leaves the first sync to a user", async () => {
  expect(await schedule(admin)).toHaveLength(0);
  expect(await runs()).toEqual([]);
});

test("starts nothing while a sync is running or the CRM has to be reconnected", async () => {
  await syncToTheEnd(app, admin, id);
  await letPass(admin, 6);
  app.crm.sandbox.faults.add({ path: /^\/services\/data/, delayMs: 1_000 });
  await startSync(app, admin, id);
  expect(await schedule(admin)).toHaveLength(0);
  await syncToTheEnd(app, admin, id);
  await letPass(admin, 6);
  await change(admin, sql`update integrations set problem = 'Connect it again.' where id = ${id}`);
  expect(await schedule(admin)).toHaveLength(0);
});

test("starts nothing while the source is not chosen", async () => {
  const podio = await connectIntegration(app, admin, "podio");
  await chooseSuggestedSource(app, admin, podio);
  await syncToTheEnd(app, admin, podio);
  await letPass(admin, 6);
  await change(admin, sql`update integrations set mapping = null where id = ${podio}`);
  expect(await schedule(admin)).toHaveLength(0);
});

test("waits an hour after a failed sync", async () => {
  await syncToTheEnd(app, admin, id);
  await change(admin, sql`update sync_runs set status = 'failed', problem = 'Refused.' where integration_id = ${id}`);
  await letPass(admin, 30);
  expect(await schedule(admin)).toHaveLength(0);
  await letPass(admin, 31);
  expect(await schedule(admin)).toHaveLength(1);
});

test("keeps only the latest of consecutive runs that changed nothing", async () => {
  const first = await syncToTheEnd(app, admin, id);
  for (let round = 0; round < 3; round += 1) {
    await letPass(admin, 6);
    expect(await schedule(admin)).toHaveLength(1);
  }
  expect(await runs()).toMatchObject([{ scheduled: true, created: 0 }, { id: first.id }]);
});

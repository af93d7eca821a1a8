import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import { lowerRowQuota } from "../../../testing/lower-row-quota.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  leadsOf,
  newAdmin,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { findPause } from "../sync/request-pauses.table.ts";
import { applyChanges } from "./apply-changes.ts";
import { insertChanges } from "./crm-changes.table.ts";

const app = testApp();
const sandbox = () => app.crm.sandboxOf("podio");
let admin: Admin;
let key: { organisationId: string; integrationId: string };
beforeEach(async () => {
  admin = await newAdmin(app);
  const integrationId = await connectIntegration(app, admin, "podio");
  await chooseSuggestedSource(app, admin, integrationId);
  await syncToTheEnd(app, admin, integrationId);
  key = { organisationId: admin.organisationId, integrationId };
  const items = ["2800000030", "2800000031", "2800000032"];
  const changes = items.map((leadExternalId) => ({ eventId: `1:item.update:${leadExternalId}:1`, leadExternalId }));
  await app.database.withTransaction(key, (tx) => insertChanges(tx, key, changes));
});
afterEach(() => {
  sandbox().leaveRequests(null);
  sandbox().faults.clear();
});

const apply = () => applyChanges(app.crm.openDeps(), key);
const appliedCount = async () => {
  const { rows } = await app.database.withTransaction(key, (tx) =>
    sql<{ count: number }>`select count(applied_at)::int as count from crm_changes
      where organisation_id = ${key.organisationId}`.execute(tx),
  );
  return rows[0]?.count;
};

test("reports wait while the CRM has few requests left, which are kept for calls", async () => {
  sandbox().leaveRequests(2_000);
  // The first lead's answer says how many are left.
  expect(await apply()).toBe(37_500);
  expect(await appliedCount()).toBe(1);
  sandbox().leaveRequests(null);
  expect(await apply()).toBeNull();
  expect(await appliedCount()).toBe(3);
});

const age = () =>
  app.database.withTransaction(key, (tx) =>
    sql`update crm_changes set received_at = received_at - interval '2 days'
      where organisation_id = ${key.organisationId}`.execute(tx),
  );
const hasLead = async (externalId: string) =>
  (await leadsOf(app, admin)).some((lead) => lead.external_id === externalId);

test("an old report of a deletion is applied if the CRM doesn't list deletions", async () => {
  sandbox().leads.remove("2800000030");
  await age();
  expect(await apply()).toBeNull();
  expect([await appliedCount(), await hasLead("2800000030")]).toEqual([3, false]);
});

test("one refused lead doesn't keep the reports about others from being applied", async () => {
  sandbox().leads.remove("2800000032");
  sandbox().faults.add({ path: /^\/item\/2800000031/, status: 403, times: 3 });
  expect(await apply()).toBeNull();
  expect(await appliedCount()).toBe(3);
  expect([await hasLead("2800000031"), await hasLead("2800000032")]).toEqual([true, false]);
});

test("reports wait while the CRM is paused, and ask nothing meanwhile", async () => {
  await app.database.withTransaction(key, (tx) =>
    sql`update integrations set paused_until = clock_timestamp() + interval '1 minute'
      where id = ${key.integrationId}`.execute(tx),
  );
  let asked = 0;
  sandbox().faults.add({ times: 100, carriedOut: () => (asked += 1) });
  expect(await apply()).toBeGreaterThan(50_000);
  expect([asked, await appliedCount()]).toEqual([0, 0]);
});

test("a limit that reports reach pauses everything that is asked of the CRM", async () => {
  sandbox().faults.add({ path: /^\/item\//, status: 420 });
  const waitMs = await apply();
  expect(waitMs).toBeGreaterThan(60_000);
  const { leftMs } = await app.database.withTransaction(key, (tx) => findPause(tx, key));
  expect(leftMs).toBeGreaterThan(60_000);
});

test("reported leads beyond the organisation's quota aren't added, and the reports aren't tried again", async () => {
  await app.database.withTransaction(key, (tx) =>
    tx.deleteFrom("leads").where("organisation_id", "=", key.organisationId).execute(),
  );
  lowerRowQuota("leads", 2);
  expect(await apply()).toBeNull();
  expect([await appliedCount(), await leadsOf(app, admin)]).toEqual([3, []]);
});

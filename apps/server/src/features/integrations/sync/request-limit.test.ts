import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import {
  chooseSuggestedSource,
  connectIntegration,
  leadsOf,
  newAdmin,
  readIntegration,
} from "../../../testing/test-integrations.ts";
import { pauseFor } from "./request-limit.ts";
import { syncLeads } from "./sync-leads.ts";
import { insertOrFindLiveRun } from "./sync-runs.table.ts";

const app = testApp();
afterEach(() => crmIds.forEach((service) => app.crm.sandboxOf(service).leaveRequests(null)));

async function newRun(service: string) {
  const by = await newAdmin(app);
  const { organisationId } = by;
  const integrationId = await connectIntegration(app, by, service);
  await chooseSuggestedSource(app, by, integrationId);
  const run = { id: randomUUID(), organisationId, integrationId, scheduled: false, comparesAll: false };
  await app.database.withTransaction({ organisationId }, (tx) => insertOrFindLiveRun(tx, run));
  const proceed = () => syncLeads(app.crm.openDeps(), { runId: run.id, organisationId, sliceMs: 60_000 });
  const integration = () => readIntegration(app, by, integrationId);
  return { by, proceed, integration, sandbox: app.crm.sandboxOf(service) };
}

describe("with few requests left", () => {
  test("a sync pauses after each page and says why, and continues at once when there are enough", async () => {
    const { by, proceed, integration, sandbox } = await newRun("salesforce");
    sandbox.leaveRequests(2_000);
    expect(await proceed()).toEqual({ is: "postponed", afterMs: 900_000 });
    const { lastSync, requestLimit } = await integration();
    expect(lastSync).toMatchObject({ status: "running", read: 100, retryAt: expect.any(String) });
    expect(lastSync?.problem).toMatch(
      /^Only 1,99\d of 1,000,000,000 Salesforce requests are left today, so the sync has slowed down\.$/,
    );
    expect(requestLimit).toMatchObject({ most: 1e9, per: "day", readAt: expect.any(String) });
    expect(requestLimit?.left).toBeLessThan(2_000);
    expect(await proceed()).toMatchObject({ is: "postponed" });
    expect((await integration()).lastSync).toMatchObject({ read: 200 });
    sandbox.leaveRequests(null);
    expect(await proceed()).toEqual({ is: "ended" });
    expect((await integration()).lastSync).toMatchObject({ status: "completed", problem: null });
    expect(await leadsOf(app, by)).toHaveLength(sandbox.leadCount());
  });

  test("of a few seconds, a sync pauses for as long", async () => {
    const { proceed, integration, sandbox } = await newRun("hubspot");
    sandbox.leaveRequests(20);
    expect(await proceed()).toEqual({ is: "postponed", afterMs: 10_000 });
    const { lastSync, requestLimit } = await integration();
    expect(lastSync).toMatchObject({ problem: "HubSpot asks to slow down." });
    // Nobody can read a number that is over in seconds.
    expect(requestLimit).toBeUndefined();
  });
});

test("the requests left in this hour are reported after a sync", async () => {
  const { proceed, integration } = await newRun("podio");
  expect(await proceed()).toEqual({ is: "ended" });
  const { requestLimit } = await integration();
  expect(requestLimit).toMatchObject({ most: 1e9, per: "hour" });
  expect(requestLimit?.left).toBeGreaterThan(1e9 - 1_000);
});

test.each([
  [1_499, 15_000, true],
  [1_500, 15_000, false],
  [0, 15_000, true],
])("of %s left of %s: slows down is %s", (left, most, slows) => {
  expect(pauseFor({ left, most, windowMs: 86_400_000 }, "A CRM") !== null).toBe(slows);
});

import { randomUUID } from "node:crypto";
import { CrmError } from "@leadline/adapter-kit/crm";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import {
  type Admin,
  connectIntegration,
  newAdmin,
  readIntegration,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { type SyncOutcome, syncLeads } from "./sync-leads.ts";
import { insertOrFindLiveRun } from "./sync-runs.table.ts";

const app = testApp();
afterEach(() => app.crm.sandbox.faults.clear());

const jobs = /\/jobs\/query/;

async function newRun() {
  const by = await newAdmin(app);
  const { organisationId } = by;
  const integrationId = await connectIntegration(app, by);
  const run = { id: randomUUID(), organisationId, integrationId, scheduled: false, comparesAll: false };
  await app.database.withTransaction({ organisationId }, (tx) => insertOrFindLiveRun(tx, run));
  /** Another process reads the next page, or learns that it must wait. */
  const step = (): Promise<SyncOutcome> => {
    const deps = app.crm.openDeps({ SALESFORCE_BULK_FROM: "100" });
    return syncLeads(deps, { runId: run.id, organisationId, sliceMs: 0 });
  };
  const toTheEnd = async (): Promise<SyncOutcome[]> => {
    const outcomes = [await step()];
    while (outcomes.at(-1)?.is !== "ended") outcomes.push(await step());
    return outcomes;
  };
  const state = async () => (await readIntegration(app, by, integrationId)).lastSync;
  return { by, runId: run.id, step, toTheEnd, state };
}

/** Everything of the organisation's leads but what differs with when and where they were written. */
async function storedLeads({ organisationId }: Admin): Promise<unknown[]> {
  const { rows } = await app.database.withTransaction({ organisationId }, (tx) =>
    sql<{ lead: unknown }>`
      select to_jsonb(leads) - array['id', 'position', 'organisation_id', 'integration_id', 'created_at', 'updated_at'] as lead
      from leads where organisation_id = ${organisationId} order by external_id`.execute(tx),
  );
  return rows.map(({ lead }) => lead);
}

describe("a first load of many leads", () => {
  test("waits until the CRM has prepared them, and stores what page by page stores", async () => {
    const pages = await newAdmin(app);
    await syncToTheEnd(app, pages, await connectIntegration(app, pages));
    const { by, step, toTheEnd, state } = await newRun();
    expect(await step()).toEqual({ is: "unfinished" });
    expect(await step()).toEqual({ is: "postponed", afterMs: expect.any(Number) });
    const total = app.crm.sandbox.leadCount();
    expect(await state()).toMatchObject({
      status: "running",
      problem: "Salesforce is preparing your leads.",
      retryAt: expect.any(String),
      read: 0,
      total,
    });
    await toTheEnd();
    const counts = { read: total, created: total, updated: 0, deleted: 0, failed: 0 };
    expect(await state()).toMatchObject({ status: "completed", problem: null, total, ...counts });
    const stored = await storedLeads(by);
    expect(stored).toHaveLength(total);
    expect(stored).toEqual(await storedLeads(pages));
  });

  test("goes on, though every answer is lost once and another process reads each page, with every lead once", async () => {
    const { by, step, state } = await newRun();
    for (let outcome: SyncOutcome = { is: "unfinished" }; outcome.is !== "ended";) {
      app.crm.sandbox.faults.add({ path: jobs, loseAnswer: true });
      await step();
      outcome = await step();
    }
    const total = app.crm.sandbox.leadCount();
    expect(await state()).toMatchObject({ status: "completed", read: total, created: total, updated: 0 });
    expect(await storedLeads(by)).toHaveLength(total);
  });

  test("isn't given up on the first failure after a long wait", async () => {
    const { by, runId, state } = await newRun();
    const deps = app.crm.openDeps();
    const salesforce = deps.crms.find("salesforce");
    if (!salesforce) throw new Error("there is no such CRM");
    const syncWith = (readLeads: typeof salesforce.crm.readLeads): Promise<SyncOutcome> => {
      const crms = { ...deps.crms, find: () => ({ ...salesforce, crm: { ...salesforce.crm, readLeads } }) };
      return syncLeads({ ...deps, crms }, { runId, organisationId: by.organisationId, sliceMs: 0 });
    };
    const wait = { ms: 1_000, why: "Not yet." };
    const page = { leads: [], deleted: [], leftOut: [], total: null, cursor: "", done: false, wait };
    // More often than a run may fail.
    for (let asked = 0; asked < 12; asked += 1)
      expect(await syncWith(async () => page)).toEqual({ is: "postponed", afterMs: 1_000 });
    expect(await state()).toMatchObject({ status: "running", problem: "Not yet." });
    const failing = async () => {
      throw new CrmError("unreachable", "The CRM didn't answer.");
    };
    expect(await syncWith(failing)).toMatchObject({ is: "postponed" });
    expect(await state()).toMatchObject({ status: "running", problem: "The CRM didn't answer." });
  });

  test.each([
    ["API_DISABLED_FOR_ORG", 403],
    ["FeatureNotEnabled", 400],
  ])("is read page by page where the CRM answers %s", async (errorCode, status) => {
    const { toTheEnd, state } = await newRun();
    app.crm.sandbox.faults.add({ path: jobs, status, errorCode, times: 1_000 });
    await toTheEnd();
    const total = app.crm.sandbox.leadCount();
    expect(await state()).toMatchObject({ status: "completed", read: total, created: total });
  });

  test("is started over page by page where the results are gone, with every lead once", async () => {
    const { by, step, toTheEnd, state } = await newRun();
    while ((await state())?.read === 0) await step();
    app.crm.sandbox.faults.add({ path: jobs, status: 404, errorCode: "NOT_FOUND" });
    await toTheEnd();
    const total = app.crm.sandbox.leadCount();
    expect(await state()).toMatchObject({ status: "completed", created: total, updated: 0 });
    expect(await storedLeads(by)).toHaveLength(total);
  });
});

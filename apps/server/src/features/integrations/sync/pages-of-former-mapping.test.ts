import { randomUUID } from "node:crypto";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  giveAccess,
  leadsOf,
  newAdmin,
  readIntegration,
} from "../../../testing/test-integrations.ts";
import { ownerOf, readGrant } from "../access/crm-access.ts";
import { putGrant } from "../access/crm-grants.table.ts";
import { syncLeads } from "./sync-leads.ts";
import { insertOrFindLiveRun } from "./sync-runs.table.ts";

const app = testApp();

/** Syncs to the end. Before the first page is stored, this happens. Returns the mappings of the pages that were read. */
async function readingFirstPage(
  by: Admin,
  { service, integrationId }: { service: string; integrationId: string },
  beforeStoring: () => Promise<unknown>,
): Promise<(CrmMapping | null)[]> {
  const { organisationId } = by;
  const runId = randomUUID();
  const run = { id: runId, organisationId, integrationId, scheduled: false, comparesAll: false };
  await app.database.withTransaction({ organisationId }, (tx) => insertOrFindLiveRun(tx, run));
  const deps = app.crm.openDeps();
  const found = deps.crms.find(service);
  if (!found) throw new Error("there is no such CRM");
  const { module, crm } = found;
  const mappings: (CrmMapping | null)[] = [];
  const readLeads: typeof crm.readLeads = async (grant, cursor, mapping) => {
    const page = await crm.readLeads(grant, cursor, mapping);
    if (mappings.push(mapping) === 1) await beforeStoring();
    return page;
  };
  const crms = { ...deps.crms, find: () => ({ module, crm: { ...crm, readLeads } }) };
  expect(await syncLeads({ ...deps, crms }, { runId, organisationId, sliceMs: 60_000 })).toEqual({ is: "ended" });
  return mappings;
}

test("a first page that was read with the former mapping isn't stored: the run reads it again", async () => {
  const by = await newAdmin(app);
  const service = "podio";
  const integrationId = await connectIntegration(app, by, service);
  await chooseSuggestedSource(app, by, integrationId);
  const { mapping } = await readIntegration(app, by, integrationId);
  if (mapping === undefined) throw new Error("there is no mapping");
  const { source, fields } = mapping;
  const changed = { source, fields: { ...fields, firstName: null, lastName: null, fullName: fields.lastName } };
  const path = `/v1/integrations/${integrationId}/mapping` as const;
  const read = await readingFirstPage(by, { service, integrationId }, async () =>
    expect((await app.ask("PUT", path, { token: by.token, body: changed })).statusCode).toBe(200),
  );
  expect(read[0]?.fields).toEqual(fields);
  expect(read.slice(1).map((one) => one?.fields)).toEqual(read.slice(1).map(() => changed.fields));
  const leads = await leadsOf(app, by);
  expect(leads).toHaveLength(app.crm.sandboxOf(service).leadCount());
  expect(leads.filter(({ first_name }) => first_name !== "")).toEqual([]);
  const { lastSync } = await readIntegration(app, by, integrationId);
  expect(lastSync).toMatchObject({ status: "completed", read: leads.length, created: leads.length, updated: 0 });
});

test("a first page of the former account isn't stored once another account is connected", async () => {
  const by = await newAdmin(app);
  const service = "hubspot";
  const integrationId = await connectIntegration(app, by, service);
  const { organisationId } = by;
  // As if it had been another account so far.
  const deps = app.crm.openDeps();
  const key = { organisationId, integrationId };
  const connected = { ...(await readIntegration(app, by, integrationId)), ...key, workspace: null, mapping: null };
  const { grant } = await readGrant(deps, { ...connected, accountId: null });
  const former = deps.sealer.encrypt(JSON.stringify({ ...grant, accountId: "another" }), ownerOf(key));
  await app.database.withTransaction({ organisationId }, async (tx) => {
    await putGrant(tx, key, former);
    await sql`update integrations set account_id = 'another' where id = ${integrationId}`.execute(tx);
  });
  const read = await readingFirstPage(by, { service, integrationId }, () =>
    giveAccess(app, by, integrationId, service),
  );
  const leads = await leadsOf(app, by);
  expect(leads).toHaveLength(app.crm.sandboxOf(service).leadCount());
  const { lastSync } = await readIntegration(app, by, integrationId);
  expect(lastSync).toMatchObject({ status: "completed", read: leads.length, created: leads.length });
  // The first page twice.
  expect(read.length).toBeGreaterThan(Math.ceil(leads.length / 100));
});

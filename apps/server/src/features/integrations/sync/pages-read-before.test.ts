import { randomUUID } from "node:crypto";
import type { CrmLeadPage } from "@leadline/adapter-kit/crm";
import { describe, expect, test } from "vitest";
import { leadsAtCrms } from "../../../testing/leads-at-crms.ts";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import { type Admin, syncToTheEnd } from "../../../testing/test-integrations.ts";
import { beginComparison } from "./comparisons.table.ts";
import { syncLeads } from "./sync-leads.ts";
import { insertOrFindLiveRun } from "./sync-runs.table.ts";
import { applyChanges } from "../webhooks/apply-changes.ts";
import { insertChanges } from "../webhooks/crm-changes.table.ts";

const app = testApp();
const hands = leadsAtCrms(app);
const { edit, leadOf, recordOf, writeAll, writingOf } = hands;

interface Reading {
  service: string;
  integrationId: string;
  environment?: Record<string, string>;
}

/**
 * Reads every lead anew. Once a page matches `after`, before it is stored, `happens` happens once. `deleted`: the CRM
 * lists these as deleted in that page.
 */
async function readAllWhile(
  { organisationId }: Admin,
  { service, integrationId, environment = {} }: Reading,
  {
    after,
    happens,
    deleted = [],
  }: { after: (page: CrmLeadPage) => boolean; happens: () => Promise<unknown>; deleted?: string[] },
): Promise<void> {
  const key = { organisationId, integrationId };
  const runId = randomUUID();
  await app.database.withTransaction({ organisationId }, async (tx) => {
    await insertOrFindLiveRun(tx, { id: runId, ...key, scheduled: true, comparesAll: true });
    await beginComparison(tx, key);
  });
  const deps = app.crm.openDeps(environment);
  const found = deps.crms.find(service);
  if (!found) throw new Error("there is no such CRM");
  let hasHappened = false;
  const readLeads: typeof found.crm.readLeads = async (...asked) => {
    const page = await found.crm.readLeads(...asked);
    if (hasHappened || !after(page)) return page;
    hasHappened = true;
    await happens();
    return { ...page, deleted: [...page.deleted, ...deleted] };
  };
  const crms = { ...deps.crms, find: () => ({ ...found, crm: { ...found.crm, readLeads } }) };
  for (let isOver = false; !isOver;)
    isOver = (await syncLeads({ ...deps, crms }, { runId, organisationId, sliceMs: 60_000 })).is === "ended";
  expect(hasHappened).toBe(true);
}

/** Each test has its own record, far enough back to be in a later page where pages have a hundred. */
let next = 150;
async function leadWithRecord(service: string) {
  const { by, integrationId } = await hands.connect(service, { sends: true });
  let lead = await hands.leadAt(by, service, (next += 1));
  // A converted lead can't be changed in every CRM.
  while ((await leadOf(by, lead.id)).status === "Qualified") lead = await hands.leadAt(by, service, (next += 1));
  const { id: leadId, record } = lead;
  const isInPage = ({ leads }: CrmLeadPage) => leads.some(({ externalId }) => externalId === record.id);
  const change = (fields: { company?: string; jobTitle?: string }) =>
    app.crm.sandboxOf(service).leads.change(record.id, fields);
  /** The CRM reports the record, which is then read by its id. */
  const report = async () => {
    const key = { organisationId: by.organisationId, integrationId };
    const changes = [{ eventId: randomUUID(), leadExternalId: record.id }];
    await app.database.withTransaction(key, (tx) => insertChanges(tx, key, changes));
    await applyChanges(app.crm.openDeps(), key);
  };
  return { by, integrationId, leadId, externalId: record.id, isInPage, change, report };
}

describe.each(crmIds)("a page that %s was asked for before a lead was read there on its own", (service) => {
  test("doesn't revert an edit that was sent meanwhile", async () => {
    const { by, integrationId, leadId, externalId, isInPage } = await leadWithRecord(service);
    await edit(by, leadId, { company: "Granite" });
    await readAllWhile(by, { service, integrationId }, { after: isInPage, happens: () => writeAll(by) });
    expect(recordOf(service, externalId)?.company).toBe("Granite");
    expect(await leadOf(by, leadId)).toMatchObject({ company: "Granite" });
    expect(await writingOf(by, leadId)).toMatchObject({ state: "written", conflicts: [] });
  });

  test("doesn't revert what the team edits right after that either", async () => {
    const { by, integrationId, leadId, externalId, isInPage } = await leadWithRecord(service);
    await edit(by, leadId, { company: "Granite" });
    const happens = async () => {
      await writeAll(by);
      await edit(by, leadId, { company: "Slate" });
    };
    await readAllWhile(by, { service, integrationId }, { after: isInPage, happens });
    expect(await leadOf(by, leadId)).toMatchObject({ company: "Slate" });
    await writeAll(by);
    expect(recordOf(service, externalId)?.company).toBe("Slate");
    expect(await writingOf(by, leadId)).toMatchObject({ state: "written", conflicts: [] });
  });

  test("loses nothing: what was changed in the CRM since then arrives with the next sync", async () => {
    const { by, integrationId, leadId, isInPage, change } = await leadWithRecord(service);
    await edit(by, leadId, { company: "Granite" });
    const happens = async () => {
      await writeAll(by);
      change({ jobTitle: "Mason" });
    };
    await readAllWhile(by, { service, integrationId }, { after: isInPage, happens });
    expect((await leadOf(by, leadId)).jobTitle).not.toBe("Mason");
    expect(await syncToTheEnd(app, by, integrationId)).toMatchObject({ status: "completed" });
    expect(await leadOf(by, leadId)).toMatchObject({ company: "Granite", jobTitle: "Mason" });
  });

  test("doesn't revert a change that the CRM reported meanwhile", async () => {
    const { by, integrationId, leadId, isInPage, change, report } = await leadWithRecord(service);
    const happens = async () => {
      change({ company: "Granite" });
      await report();
    };
    await readAllWhile(by, { service, integrationId }, { after: isInPage, happens });
    expect(await leadOf(by, leadId)).toMatchObject({ company: "Granite" });
  });

  test("doesn't revert the edit if it is a later page of the same read either", async () => {
    const { by, integrationId, leadId, isInPage } = await leadWithRecord(service);
    await edit(by, leadId, { company: "Granite" });
    const after = (page: CrmLeadPage) => page.done || (page.leads.length > 0 && !isInPage(page));
    await readAllWhile(by, { service, integrationId }, { after, happens: () => writeAll(by) });
    expect(await leadOf(by, leadId)).toMatchObject({ company: "Granite" });
  });

  test("doesn't delete the lead, which was restored there meanwhile", async () => {
    const { by, integrationId, leadId, externalId, report } = await leadWithRecord(service);
    const after = () => true;
    await readAllWhile(by, { service, integrationId }, { after, happens: report, deleted: [externalId] });
    expect(await leadOf(by, leadId)).toMatchObject({ id: leadId, integrationId });
  });
});

test("a page that was asked for after a lead was read on its own deletes it", async () => {
  const { by, integrationId, leadId, externalId, isInPage, report } = await leadWithRecord("salesforce");
  await report();
  const happens = async () => {};
  await readAllWhile(
    by,
    { service: "salesforce", integrationId },
    { after: (page) => !isInPage(page), happens, deleted: [externalId] },
  );
  expect(await leadOf(by, leadId)).toMatchObject({ type: "/api/docs#not-found" });
});

test("leads that the CRM prepared before an edit was sent don't revert it", async () => {
  const service = "salesforce";
  const { by, integrationId, leadId, externalId, change } = await leadWithRecord(service);
  await edit(by, leadId, { company: "Granite" });
  // The job is complete when it is asked about once more.
  let asked = 0;
  const after = ({ wait }: CrmLeadPage) => wait !== undefined && (asked += 1) === 2;
  const happens = async () => {
    await writeAll(by);
    change({ jobTitle: "Mason" });
  };
  await readAllWhile(by, { service, integrationId, environment: { SALESFORCE_BULK_FROM: "100" } }, { after, happens });
  expect(recordOf(service, externalId)?.company).toBe("Granite");
  expect(await leadOf(by, leadId)).toMatchObject({ company: "Granite" });
  await syncToTheEnd(app, by, integrationId);
  expect(await leadOf(by, leadId)).toMatchObject({ company: "Granite", jobTitle: "Mason" });
});

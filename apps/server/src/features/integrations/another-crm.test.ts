import { randomUUID } from "node:crypto";
import type { Crm, CrmCall, CrmModule } from "@leadline/adapter-kit/crm";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { z } from "zod";
import { callsAtCrms } from "../../testing/calls-at-crms.ts";
import { testApp } from "../../testing/test-app.ts";
import { leadsOf, newAdmin } from "../../testing/test-integrations.ts";
import { createIntegration } from "./create-integration.ts";
import { describeCrms } from "./describe-crms.ts";
import { finishLogin } from "./connect/finish-login.ts";
import { openCrms } from "./open-crms.ts";
import { startLogin } from "./connect/start-login.ts";
import { syncLeads } from "./sync/sync-leads.ts";
import { insertOrFindLiveRun } from "./sync/sync-runs.table.ts";
import { webhookJobs } from "./webhooks/webhook-jobs.ts";

const app = testApp();
const { openDeps, changeRows, endCall, writeAll, activityOf } = callsAtCrms(app);

const phone = "+12025550187";
const fields = {
  fullName: "name",
  firstName: null,
  lastName: null,
  email: null,
  phone: "phone",
  company: null,
  jobTitle: null,
  status: null,
  owner: null,
  nextStep: null,
};
const written: CrmCall[] = [];
const harbour: Crm = {
  notRegistered: null,
  readWorkspace: () => null,
  authoriseUrl: ({ state }) => `https://harbour.example/authorise?state=${encodeURIComponent(state)}`,
  exchangeCode: async ({ code }) => ({
    accessToken: code,
    refreshToken: null,
    expiresAt: null,
    accountId: "harbour",
    own: {},
  }),
  refresh: async (_, grant) => grant,
  revoke: async () => {},
  sources: { list: async () => [], describeFields: async () => [] },
  defaultMapping: { source: "people", sourceName: "People", fields, custom: [], statuses: {} },
  async readLeads() {
    const who = { firstName: "Ada", lastName: "Byron", email: "", phone, company: "", jobTitle: "" };
    const lead = { ...who, externalId: "one", status: "New" as const, statusValue: "", url: null };
    return { leads: [lead], leftOut: [], deleted: [], total: 1, cursor: "end", done: true };
  },
  bulk: null,
  readSome: async () => ({ leads: [], leftOut: [], deleted: [] }),
  readLimit: async () => null,
  webhooks: null,
  calls: {
    find: async () => null,
    async create(_, call) {
      written.push(call);
      return { externalId: call.callSid, url: `https://harbour.example/calls/${call.callSid}` };
    },
    update: async () => true,
  },
  leads: {
    ownerValue: async () => null,
    find: async () => null,
    create: async () => "two",
    update: async () => "written",
  },
  close: () => {},
};
const harbourCrm: CrmModule = {
  id: "harbour-crm",
  name: "Harbour CRM",
  capabilities: { deletions: true, globalIds: false },
  settings: z.object({}),
  writingHelp: "",
  workspaceField: null,
  open: () => harbour,
};

test("a CRM that no file but its own knows is offered, connected, synced and written to", async () => {
  const by = await newAdmin(app);
  const { organisationId } = by;
  const crms = openCrms([harbourCrm], { environment: {}, sandboxes: new Map() });
  const webhookKeys = { keyOf: () => "", read: () => null };
  const opened = { ...openDeps(), crms, webhookKeys, jobs: { enqueue: async () => {} } };
  const deps = { ...opened, webhookJobs: webhookJobs(opened, {}) };
  expect(describeCrms(crms)).toMatchObject([{ service: "harbour-crm", name: "Harbour CRM" }]);

  const caller = {
    userId: by.id,
    sessionId: randomUUID(),
    organisation: { id: organisationId, role: "owner" as const },
  };
  const { id: integrationId } = await createIntegration(deps, caller, { service: "harbour-crm", label: "Harbour" });
  const login = { service: "harbour-crm", integrationId, origin: "https://leadline.example" };
  const { url } = await startLogin(deps, caller, login);
  const state = new URL(url).searchParams.get("state") ?? "";
  await finishLogin(deps, caller, { service: "harbour-crm", code: "a-code", state });
  const runId = randomUUID();
  const run = { id: runId, organisationId, integrationId, scheduled: false, comparesAll: false };
  await app.database.withTransaction({ organisationId }, (tx) => insertOrFindLiveRun(tx, run));
  expect(await syncLeads(deps, { runId, organisationId, sliceMs: 60_000 })).toEqual({ is: "ended" });
  expect(await leadsOf(app, by)).toMatchObject([{ external_id: "one", phone_number: phone }]);

  await changeRows(by, sql`update organisations set time_zone = 'America/Los_Angeles' where id = ${organisationId}`);
  const callSid = await endCall(by, phone, {
    during: (sid) => changeRows(by, sql`update calls set created_at = '2026-03-03T01:30:00Z' where call_sid = ${sid}`),
  });
  await writeAll(by, deps);
  // A day as people there know it.
  expect(written).toMatchObject([{ callSid, leadExternalId: "one", startedOn: "2026-03-02" }]);
  expect(await activityOf(by, callSid)).toMatchObject({ state: "written" });
  // Every answer keeps the contract.
  const listed = await app.ask("GET", "/v1/integrations", { token: by.token });
  expect(listed.json()).toMatchObject([
    { service: "harbour-crm", status: "active", lastSync: { status: "completed" } },
  ]);
});

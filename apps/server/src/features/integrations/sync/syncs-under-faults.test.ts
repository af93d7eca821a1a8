import { randomUUID } from "node:crypto";
import type { CrmLead, CrmLeadPage } from "@leadline/adapter-kit/crm";
import type { Fault } from "@leadline/crm-sandbox/faults";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { array, assert, asyncProperty, constant, constantFrom, nat, oneof, record } from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { DatabaseUnreachable } from "../../../db/database-unreachable.ts";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import {
  chooseSuggestedSource,
  connectIntegration,
  newAdmin,
  readIntegration,
} from "../../../testing/test-integrations.ts";
import { beginComparison } from "./comparisons.table.ts";
import { withCrmGrant } from "../access/crm-access.ts";
import type { IntegrationDeps } from "../integration-deps.ts";
import { endPauses } from "./request-pauses.table.ts";
import { type SyncOutcome, syncLeads } from "./sync-leads.ts";
import { insertOrFindLiveRun } from "./sync-runs.table.ts";

const app = testApp();
afterEach(() => crmIds.forEach((service) => app.crm.sandboxOf(service).faults.clear()));

/** The shortest wait after a first failure. */
const soonMs = 1_500;
/** Every CRM's, with how long it asks to wait. */
const faults: readonly (readonly [name: string, fault: Fault, lastsMs: number | null])[] = [
  ["429 with Retry-After", { status: 429, headers: { "retry-after": "7" } }, 7_000],
  ["500", { status: 500 }, null],
  ["503 with Retry-After", { status: 503, headers: { "retry-after": "2" } }, 2_000],
  ["503 with Retry-After of nothing", { status: 503, headers: { "retry-after": "0" } }, 0],
  ["a dropped connection", { loseAnswer: true }, null],
  ["a cut answer", { cutsAnswer: true }, null],
  ["a redirect", { status: 302 }, null],
  ["a proxy's page", { page: "<p>Sign in to this network.</p>" }, null],
];

/** An organisation that is connected to the CRM's sandbox, and what servers do for it. */
async function connected(service: string) {
  const by = await newAdmin(app);
  const { organisationId } = by;
  const integrationId = await connectIntegration(app, by, service);
  await chooseSuggestedSource(app, by, integrationId);
  const key = { organisationId, integrationId };
  const sandbox = app.crm.sandboxOf(service);
  const deps = app.crm.openDeps();
  const found = deps.crms.find(service);
  if (found === null) throw new Error("there is no such CRM");
  const { crm, module } = found;

  /** The live run, or a new one. `all`: a full comparison. */
  const startRun = (options: { all: boolean }): Promise<string> =>
    app.database.withTransaction({ organisationId }, async (tx) => {
      const asked = { id: randomUUID(), ...key, scheduled: false, comparesAll: options.all };
      const { stored, isNew } = await insertOrFindLiveRun(tx, asked);
      if (isNew && options.all) await beginComparison(tx, key);
      return stored.run.id;
    });
  /** Once a pause that the CRM asked for is over. */
  async function continueRun(
    runId: string,
    options: { sliceMs?: number; as?: IntegrationDeps } = {},
  ): Promise<SyncOutcome> {
    await app.database.withTransaction({ organisationId }, (tx) => endPauses(tx, key));
    return syncLeads(options.as ?? deps, { runId, organisationId, sliceMs: options.sliceMs ?? 60_000 });
  }
  const sync = async ({ all = false } = {}): Promise<SyncOutcome> => continueRun(await startRun({ all }));
  /** Some limits last a second. */
  const syncToTheEnd = (options: { all?: boolean } = {}) =>
    vi.waitFor(
      async () => {
        expect(await sync(options)).toEqual({ is: "ended" });
        expect((await readIntegration(app, by, integrationId)).lastSync).toMatchObject({ status: "completed" });
      },
      { timeout: 60_000, interval: 300 },
    );

  const integrationOf = async () => {
    const { mapping = null, workspaceDomain, ...integration } = await readIntegration(app, by, integrationId);
    return { ...integration, organisationId, workspace: workspaceDomain, accountId: null, mapping };
  };
  /** As its adapter reads them, without faults and from nothing. */
  async function inCrm() {
    const integration = await integrationOf();
    const leads: CrmLead[] = [];
    const readFrom = (cursor: string | null): Promise<CrmLeadPage> =>
      withCrmGrant(deps, integration, (grant) => crm.readLeads(grant, cursor, integration.mapping));
    let page = await readFrom(null);
    leads.push(...page.leads);
    while (!page.done) {
      page = await readFrom(page.cursor);
      leads.push(...page.leads);
    }
    return inOrder(
      leads.map(({ externalId, firstName, lastName, email, phone, company, jobTitle }) => {
        return { externalId, firstName, lastName, email, phone, company, jobTitle };
      }),
    );
  }
  const inLeadline = async () =>
    inOrder(
      await app.database.withTransaction({ organisationId }, (tx) =>
        tx
          .selectFrom("leads")
          .select(["external_id as externalId", "first_name as firstName", "last_name as lastName"])
          .select(["email", "phone", "company", "job_title as jobTitle"])
          .where("organisation_id", "=", organisationId)
          .execute(),
      ),
    );
  const runs = { startRun, continueRun, sync, syncToTheEnd };
  return { by, integrationId, sandbox, module, crm, ...runs, inCrm, inLeadline };
}

const inOrder = <T extends { externalId: string | null }>(leads: readonly T[]): T[] =>
  leads.toSorted((a, b) => ((a.externalId ?? "") < (b.externalId ?? "") ? -1 : 1));

const stepOf = ({ limitFaults }: Pick<SandboxCrm, "limitFaults">) =>
  oneof(
    { weight: 4, arbitrary: record({ is: constant("rename" as const), which: nat() }) },
    { weight: 2, arbitrary: record({ is: constant("remove" as const), which: nat() }) },
    { weight: 2, arbitrary: record({ is: constant("add" as const) }) },
    { weight: 2, arbitrary: record({ is: constant("change status here" as const), which: nat() }) },
    { weight: 1, arbitrary: record({ is: constant("delete here" as const), which: nat() }) },
    {
      weight: 3,
      arbitrary: record({
        is: constant("fault" as const),
        fault: constantFrom(...faults, ...limitFaults),
        after: nat(2),
      }),
    },
    { weight: 1, arbitrary: record({ is: constant("access runs out" as const) }) },
    { weight: 2, arbitrary: record({ is: constant("sync" as const) }) },
    { weight: 2, arbitrary: record({ is: constant("two servers sync" as const) }) },
  );

describe.each(crmIds)("leads of %s", (service) => {
  test("match the CRM's after each fault, which is waited for at least as long as the CRM asks", async () => {
    const { sandbox, sync, inCrm, inLeadline } = await connected(service);
    expect(await sync()).toEqual({ is: "ended" });
    for (const [name, fault, afterMs] of [...faults, ...sandbox.limitFaults]) {
      const expected: unknown = expect.toSatisfy((ms) => ms >= Math.max(afterMs ?? 0, soonMs));
      const [lead] = await inLeadline();
      sandbox.leads.rename(lead?.externalId ?? "", `After ${name}`);
      sandbox.faults.add({ path: sandbox.leadsPath, ...fault });
      const failed = await sync({ all: true });
      expect({ name, ...failed }).toEqual({ name, is: "postponed", afterMs: expected });
      expect({ name, ...(await sync()) }).toEqual({ name, is: "ended" });
      expect((await inLeadline())[0]?.lastName).toBe(`After ${name}`);
    }
    expect(await inLeadline()).toEqual(await inCrm());
  });

  test("are each created once, though two servers read at once and one dies with each page in its hands", async () => {
    const { by, integrationId, crm, startRun, continueRun, inCrm, inLeadline } = await connected(service);
    const deps = app.crm.openDeps();
    const readLeads: typeof crm.readLeads = async (...asked) => {
      await crm.readLeads(...asked);
      throw new DatabaseUnreachable({ cause: null });
    };
    const found = deps.crms.find(service);
    if (!found) throw new Error("there is no such CRM");
    const dying = { ...deps, crms: { ...deps.crms, find: () => ({ ...found, crm: { ...crm, readLeads } }) } };
    const runId = await startRun({ all: false });
    for (let isLive = true; isLive;) {
      await expect(continueRun(runId, { as: dying })).rejects.toThrow(DatabaseUnreachable);
      const others = [deps, app.crm.openDeps()].map((as) => continueRun(runId, { sliceMs: 0, as }));
      await Promise.all(others);
      isLive = (await readIntegration(app, by, integrationId)).lastSync?.endedAt === null;
    }
    const all = await inCrm();
    const counts = { status: "completed", read: all.length, created: all.length, updated: 0 };
    expect((await readIntegration(app, by, integrationId)).lastSync).toMatchObject(counts);
    expect(await inLeadline()).toEqual(all);
  });

  test("match the CRM's after random changes on both sides and faults, and keep what the team did", async () => {
    const { by, sandbox, module, startRun, continueRun, sync, ...rest } = await connected(service);
    const { syncToTheEnd, inCrm, inLeadline } = rest;
    await syncToTheEnd();
    const deletedHere = new Set<string>();
    const nurturedHere = new Set<string>();
    let added = 0;
    const someLead = async (which: number) => {
      const leads = await inLeadline();
      return leads[which % leads.length]?.externalId ?? "";
    };
    const selectLeads = (externalIds: ReadonlySet<string>) =>
      app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
        tx
          .selectFrom("leads")
          .select(["id", "status"])
          .where("external_id", "in", ["", ...externalIds])
          .execute(),
      );
    const changeHere = async (externalId: string, action: object) => {
      const ids = (await selectLeads(new Set([externalId]))).map(({ id }) => id);
      const answer = await app.ask("POST", "/v1/lead-changes", { token: by.token, body: { ids, action } });
      expect(answer.json()).toMatchObject({ state: "done" });
    };

    await assert(
      asyncProperty(array(stepOf(sandbox), { minLength: 12, maxLength: 25 }), async (steps) => {
        for (const each of steps) {
          if (each.is === "rename") sandbox.leads.rename(await someLead(each.which), `Renamed ${each.which}`);
          if (each.is === "remove") sandbox.leads.remove(await someLead(each.which));
          if (each.is === "add") sandbox.leads.add(`Added ${(added += 1)}`);
          if (each.is === "fault") sandbox.faults.add({ path: sandbox.leadsPath, ...each.fault[1], after: each.after });
          if (each.is === "access runs out") sandbox.expireAccess();
          if (each.is === "sync") await sync();
          if (each.is === "two servers sync") {
            const runId = await startRun({ all: false });
            await Promise.all([continueRun(runId), continueRun(runId, { as: app.crm.openDeps() })]);
          }
          if (each.is === "change status here") {
            const externalId = await someLead(each.which);
            await changeHere(externalId, { kind: "status", status: "Nurturing" });
            nurturedHere.add(externalId);
          }
          if (each.is === "delete here") {
            const externalId = await someLead(each.which);
            await changeHere(externalId, { kind: "delete" });
            deletedHere.add(externalId);
          }
        }
        sandbox.faults.clear();
        await syncToTheEnd();
        // Once more for a run that was under way, and for what a CRM's deletion list doesn't tell.
        await syncToTheEnd({ all: !module.capabilities.deletions });
        const there = await inCrm();
        expect(await inLeadline()).toEqual(there.filter(({ externalId }) => !deletedHere.has(externalId)));
        const statuses = (await selectLeads(nurturedHere)).map(({ status }) => status);
        expect(statuses).toEqual(statuses.map(() => "Nurturing"));
      }),
      { numRuns: 3, endOnFailure: true, seed: 20_261_125 },
    );
  });
});

test("a CRM that doesn't answer in time is asked again, by some adapters for less, and its leads match", async () => {
  const slow = async (service: string) => {
    const { sandbox, syncToTheEnd, inCrm, inLeadline } = await connected(service);
    const taken = vi.fn<() => void>();
    // Longer than an adapter waits.
    sandbox.faults.add({ path: sandbox.leadsPath, delayMs: 21_000, taken });
    await syncToTheEnd();
    expect(taken).toHaveBeenCalledOnce();
    expect(await inLeadline()).toEqual(await inCrm());
  };
  await Promise.all(crmIds.map(slow));
});

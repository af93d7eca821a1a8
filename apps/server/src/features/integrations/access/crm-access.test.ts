import { randomUUID } from "node:crypto";
import { CrmError } from "@leadline/adapter-kit/crm";
import { describe, expect, test, vi } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import { type Admin, connectIntegration, newAdmin, readIntegration } from "../../../testing/test-integrations.ts";
import { ownerOf, readGrant, withCrmGrant } from "./crm-access.ts";
import { putGrant } from "./crm-grants.table.ts";
import { syncLeads } from "../sync/sync-leads.ts";
import { insertOrFindLiveRun } from "../sync/sync-runs.table.ts";

const app = testApp();

test("reads access stored by 0.1.0, which has the adapter's part next to the rest", async () => {
  const by: Admin = await newAdmin(app);
  const { organisationId } = by;
  const integrationId = await connectIntegration(app, by);
  const deps = app.crm.openDeps();
  const integration = {
    ...(await readIntegration(app, by, integrationId)),
    organisationId,
    workspace: null,
    accountId: null,
    mapping: null,
  };
  const instanceUrl = "https://sandbox.leadline.test";
  const former = { accessToken: "a", refreshToken: null, instanceUrl, accountId: "b" };
  const key = { organisationId, integrationId };
  await app.database.withTransaction({ organisationId }, (tx) =>
    putGrant(tx, key, deps.sealer.encrypt(JSON.stringify(former), ownerOf(key))),
  );
  const { grant } = await readGrant(deps, integration);
  expect(grant).toEqual({
    accessToken: "a",
    refreshToken: null,
    accountId: "b",
    expiresAt: null,
    own: { instanceUrl },
  });
});

describe("access", () => {
  const connected = async (service: "salesforce" | "hubspot") => {
    const by = await newAdmin(app);
    const { organisationId } = by;
    const integrationId = await connectIntegration(app, by, service);
    const deps = app.crm.openDeps();
    const workspace = app.crm.sandboxOf(service).domain;
    const integration = {
      ...(await readIntegration(app, by, integrationId)),
      organisationId,
      workspace,
      accountId: null,
      mapping: null,
    };
    const before = await readGrant(deps, integration);
    const read = () =>
      withCrmGrant(deps, integration, async (grant) => {
        await deps.crms.find(service)?.crm.readLeads(grant, null, null);
        return grant;
      });
    return { by, deps, integration, key: { organisationId, integrationId }, before, read };
  };

  test("is refreshed before it expires, if the CRM reports when", async () => {
    const { deps, integration, key, before, read } = await connected("hubspot");
    expect((await read()).accessToken).toBe(before.grant.accessToken);
    const soon = { ...before.grant, expiresAt: new Date(Date.now() + 60_000).toISOString() };
    await app.database.withTransaction(key, (tx) =>
      putGrant(tx, key, deps.sealer.encrypt(JSON.stringify(soon), ownerOf(key))),
    );
    const used = await read();
    expect(used.accessToken).not.toBe(before.grant.accessToken);
    // The tokens are stored before they are used.
    expect((await readGrant(deps, integration)).grant).toEqual(used);
  });

  test("is refreshed with no row locked and no transaction open meanwhile", async () => {
    const { key, before, read, deps, integration } = await connected("salesforce");
    app.crm.sandbox.expireAccess();
    app.crm.sandbox.faults.add({ path: /oauth2\/token/, delayMs: 1_500 });
    const reading = read();
    await vi.waitFor(async () => {
      const [row] = await app.database.withTransaction(key, (tx) =>
        tx
          .selectFrom("crm_grants")
          .select("refreshing_until")
          .where("integration_id", "=", key.integrationId)
          .forUpdate()
          .noWait()
          .execute(),
      );
      expect(row?.refreshing_until).not.toBeNull();
    });
    await reading;
    expect((await readGrant(deps, integration)).generation).toBe(before.generation + 1);
  });

  test("that the CRM refuses to refresh is asked for once, by whoever comes first", async () => {
    const { read } = await connected("hubspot");
    const sandbox = app.crm.sandboxOf("hubspot");
    sandbox.endAllGrants();
    let asked = 0;
    sandbox.faults.add({ path: /token/, times: 100, delayMs: 300, carriedOut: () => (asked += 1) });
    const reads = await Promise.allSettled(Array.from({ length: 5 }, read));
    sandbox.faults.clear();
    const refused = { status: "rejected", reason: { fault: "grant-refused" } };
    expect(reads).toMatchObject(reads.map(() => refused));
    expect(asked).toBe(1);
  });

  test("that failed to refresh is refreshed by the next request at once", async () => {
    const { before, read, deps, integration } = await connected("salesforce");
    app.crm.sandbox.expireAccess();
    app.crm.sandbox.faults.add({ path: /oauth2\/token/, status: 503 });
    await expect(read()).rejects.toMatchObject({ fault: "unreachable" });
    expect((await read()).accessToken).not.toBe(before.grant.accessToken);
    expect((await readGrant(deps, integration)).generation).toBe(before.generation + 1);
  });

  test("that was reconnected while its refresh was refused is used as it is now", async () => {
    const { deps, integration, key, before } = await connected("salesforce");
    const found = deps.crms.find("salesforce");
    if (found === null) throw new Error("there is no such CRM");
    const reconnected = { ...before.grant, accessToken: "reconnected" };
    const refresh = async () => {
      await app.database.withTransaction(key, (tx) =>
        putGrant(tx, key, deps.sealer.encrypt(JSON.stringify(reconnected), ownerOf(key))),
      );
      throw new CrmError("grant-refused", "Salesforce no longer accepts Leadline’s access.");
    };
    const crms = { ...deps.crms, find: () => ({ ...found, crm: { ...found.crm, refresh } }) };
    const used = await withCrmGrant({ ...deps, crms }, integration, async ({ accessToken }) => {
      if (accessToken !== "reconnected") throw new CrmError("access-refused", "It is over.");
      return accessToken;
    });
    expect(used).toBe("reconnected");
    expect(await readGrant(deps, integration)).toMatchObject({ isRefused: false });
  });

  test("that is renewed for another account isn't used, and the integration asks to be reconnected, saying why", async () => {
    const { by, deps, integration, key, before } = await connected("salesforce");
    const found = deps.crms.find("salesforce");
    if (found === null) throw new Error("there is no such CRM");
    const refresh = async () => ({ ...before.grant, accessToken: "other", accountId: "00D000000000000AAA" });
    const crms = { ...deps.crms, find: () => ({ ...found, crm: { ...found.crm, refresh } }) };
    const run = { id: randomUUID(), ...key, scheduled: false, comparesAll: false };
    await app.database.withTransaction(key, (tx) => insertOrFindLiveRun(tx, run));
    app.crm.sandbox.expireAccess();
    await syncLeads({ ...deps, crms }, { runId: run.id, organisationId: key.organisationId, sliceMs: 60_000 });
    const problem =
      "Salesforce now gives Leadline access to another account than before. Connect it again: the leads and the sync’s progress are kept.";
    expect(await readIntegration(app, by, integration.id)).toMatchObject({ problem, lastSync: { problem } });
    const { accountId } = before.grant;
    const used = withCrmGrant(deps, { ...integration, accountId }, async (grant) => grant.accountId);
    await expect(used).rejects.toMatchObject({ fault: "grant-refused" });
  });

  test("to another account than the integration was read with isn't used", async () => {
    const { deps, integration, before } = await connected("salesforce");
    const useAs = (accountId: string | null) =>
      withCrmGrant(deps, { ...integration, accountId }, async (grant) => grant.accountId);
    expect(await useAs(before.grant.accountId)).toBe(before.grant.accountId);
    await expect(useAs("00D000000000000AAA")).rejects.toMatchObject({ fault: "unreachable" });
  });
});

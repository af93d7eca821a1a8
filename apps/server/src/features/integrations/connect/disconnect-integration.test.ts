import { expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  giveAccess,
  leadsOf,
  newAdmin,
  readIntegration,
  startSync,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { readGrant } from "../access/crm-access.ts";
import { noteAccessEnded } from "../access/note-access-ended.ts";

const app = testApp();

const disconnect = (by: Admin, id: string) => app.ask("POST", `/v1/integrations/${id}/disconnect`, { token: by.token });
const integrationOf = (by: Admin, { id, service }: { id: string; service: string }) => ({
  id,
  service,
  organisationId: by.organisationId,
  label: "",
  workspace: app.crm.sandboxOf(service).domain,
  accountId: null,
  status: "active" as const,
  problem: null,
  mapping: null,
  sendsChanges: false,
});

test.each(crmIds)(
  "a disconnected %s keeps its leads and mapping without access, and continues where it stopped once connected again",
  async (service) => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, service);
    await chooseSuggestedSource(app, by, id);
    await syncToTheEnd(app, by, id);
    const before = await leadsOf(app, by);
    const { mapping } = await readIntegration(app, by, id);

    const answer = await disconnect(by, id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id, status: "inactive", problem: null, ...(mapping && { mapping }) });
    await expect(readGrant(app.crm.openDeps(), integrationOf(by, { id, service }))).rejects.toMatchObject({
      fault: "grant-refused",
    });
    expect(await leadsOf(app, by)).toEqual(before);
    const refused = await app.ask("POST", `/v1/integrations/${id}/sync`, { token: by.token });
    expect(refused.json()).toMatchObject({ detail: "Connect this integration before you sync it." });

    await giveAccess(app, by, id, service);
    expect(await readIntegration(app, by, id)).toMatchObject({ status: "active", ...(mapping && { mapping }) });
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed", created: 0 });
    expect(await leadsOf(app, by)).toEqual(before);
  },
);

test("its access is revoked in the CRM", async () => {
  const by = await newAdmin(app);
  const id = await connectIntegration(app, by);
  const deps = app.crm.openDeps();
  const { grant } = await readGrant(deps, integrationOf(by, { id, service: "salesforce" }));
  await disconnect(by, id);
  await expect(deps.crms.find("salesforce")?.crm.readLeads(grant, null, null)).rejects.toMatchObject({
    fault: "access-refused",
  });
});

test("a sync in progress ends, and a worker that still notices the lost access doesn't ask to reconnect", async () => {
  const by = await newAdmin(app);
  const id = await connectIntegration(app, by);
  app.crm.sandbox.faults.add({ path: /query/, delayMs: 1_000 });
  await startSync(app, by, id);
  await disconnect(by, id);
  const stale = integrationOf(by, { id, service: "salesforce" });
  await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
    noteAccessEnded(app.crm.openDeps(), tx, stale, { error: null, kept: "the leads are kept" }),
  );
  expect(await readIntegration(app, by, id)).toMatchObject({
    status: "inactive",
    problem: null,
    lastSync: { status: "failed", problem: "The integration was disconnected." },
  });
});

test("disconnecting twice changes nothing, and another organisation’s integration isn’t found", async () => {
  const by = await newAdmin(app);
  const id = await connectIntegration(app, by);
  expect([(await disconnect(by, id)).statusCode, (await disconnect(by, id)).statusCode]).toEqual([200, 200]);
  expect((await disconnect(await newAdmin(app), id)).statusCode).toBe(404);
});

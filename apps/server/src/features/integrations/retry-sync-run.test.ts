import type { SyncRun } from "@leadline/contract/integrations";
import { expect, test } from "vitest";
import { testApp } from "../../testing/test-app.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  leadsOf,
  newAdmin,
  syncToTheEnd,
  waitForRun,
} from "../../testing/test-integrations.ts";

const app = testApp();
const nameless = "2800000110";

async function synced() {
  const by = await newAdmin(app);
  const id = await connectIntegration(app, by, "podio");
  await chooseSuggestedSource(app, by, id);
  const fields = { "first-name": [], "last-name": [], email: [], phone: [] };
  app.crm.sandboxOf("podio").ask({ method: "PUT", path: `/item/${nameless}`, body: { fields } });
  return { by, id, run: await syncToTheEnd(app, by, id) };
}
const retry = (by: Admin, id: string, runId: string) =>
  app.ask("POST", `/v1/integrations/${id}/syncs/${runId}/retry`, { token: by.token });

test("a retried sync reads the records again that it left out, which haven't changed in the CRM since", async () => {
  const { by, id, run } = await synced();
  expect(run.failed).toBe(1);
  const { organisationId } = by;
  const before = await leadsOf(app, by);
  // As if this one had been left out too, for a reason that is gone.
  const repaired = before[0]?.external_id ?? "";
  await app.database.withTransaction({ organisationId }, async (tx) => {
    await tx.deleteFrom("leads").where("external_id", "=", repaired).execute();
    await tx
      .insertInto("sync_run_left_out")
      .values({ run_id: run.id, organisation_id: organisationId, external_id: repaired, why: "", url: null })
      .execute();
  });
  const started = await retry(by, id, run.id);
  expect(started.statusCode).toBe(201);
  const { id: runId }: SyncRun = started.json();
  const ended = await waitForRun(app, { by, id, until: (newest) => newest.id === runId && newest.endedAt !== null });
  expect(ended).toMatchObject({ status: "completed", created: 1 });
  expect((await leadsOf(app, by)).map((lead) => lead.external_id).toSorted()).toEqual(
    before.map((lead) => lead.external_id).toSorted(),
  );
  const { leftOut } = (await app.ask("GET", `/v1/integrations/${id}/syncs/${runId}`, { token: by.token })).json();
  expect(leftOut).toMatchObject([{ externalId: nameless }]);
});

test("a sync of another integration, or that is no longer kept, can't be retried", async () => {
  const { by, id, run } = await synced();
  const other = await synced();
  expect((await retry(by, id, crypto.randomUUID())).statusCode).toBe(404);
  expect((await retry(by, id, other.run.id)).statusCode).toBe(404);
  expect((await retry(other.by, id, run.id)).statusCode).toBe(404);
  await app.ask("POST", `/v1/integrations/${id}/disconnect`, { token: by.token });
  expect((await retry(by, id, run.id)).json().type).toBe("/api/docs#integration-not-connected");
});

import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { callsAtCrms } from "../../../testing/calls-at-crms.ts";
import { testApp } from "../../../testing/test-app.ts";
import { type Admin, connectIntegration, newAdmin, syncToTheEnd } from "../../../testing/test-integrations.ts";
import { purgeRemovedJob } from "../../lead-changes/purge-removed.ts";

const app = testApp();
const { endCall, leadWithOwnNumber, activityOf, writeAll, changeRows } = callsAtCrms(app);
const writtenOf = (callSid: string) => app.crm.sandbox.writtenCalls().filter((call) => call.callSid === callSid);

let admin: Admin;
let lead: { number: string; externalId: string; id: string };
beforeEach(async () => {
  admin = await newAdmin(app);
  await syncToTheEnd(app, admin, await connectIntegration(app, admin));
  const own = await leadWithOwnNumber(admin);
  const found = await app.ask("GET", `/v1/leads?phoneNumber=${encodeURIComponent(own.number)}`, { token: admin.token });
  lead = { ...own, id: found.json()[0].id };
});
const read = () => app.ask("GET", `/v1/leads/${lead.id}`, { token: admin.token });
const deleteAtOnce = () => app.ask("DELETE", `/v1/leads/${lead.id}`, { token: admin.token });
const deleteUndoably = () =>
  app.ask("POST", "/v1/lead-changes", { token: admin.token, body: { ids: [lead.id], action: { kind: "delete" } } });
const purge = async () => {
  await changeRows(admin, sql`update lead_changes set undo_until = clock_timestamp() where user_id = ${admin.id}`);
  await purgeRemovedJob(app.database).run({}, { enqueue: async () => {} });
};
async function isGone(): Promise<boolean> {
  const { rows } = await app.database.withTransaction({ organisationId: admin.organisationId }, async (tx) => {
    await sql`select set_config('app.sees_removed_leads', 'on', true)`.execute(tx);
    return sql`select from leads where id = ${lead.id}`.execute(tx);
  });
  return rows.length === 0;
}

test.each([
  ["for good", deleteAtOnce, true],
  ["for good, of a call to its number", deleteAtOnce, false],
  ["undoably", deleteUndoably, true],
  ["undoably, of a call to its number", deleteUndoably, false],
])("logs a call whose lead is deleted during it, %s, and deletes the lead after that", async (_, remove, named) => {
  const during = async () => {
    expect((await remove()).statusCode).toBeLessThan(300);
    await purge();
    expect((await read()).statusCode).toBe(404);
  };
  const callSid = await endCall(admin, lead.number, named ? { leadId: lead.id, during } : { during });
  expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting" });
  await purge();
  expect(await isGone()).toBe(false);
  await writeAll(admin);
  expect(writtenOf(callSid)).toMatchObject([{ leadExternalId: lead.externalId }]);
  await purge();
  expect(await isGone()).toBe(true);
});

test.each([
  ["its CRM's access has ended", sql`update integrations set problem = 'Connect it again.'`],
  ["its CRM has refused the call", sql`update call_activities set state = 'failed', problem = 'Refused.'`],
])("keeps a deleted lead whose call isn't logged because %s", async (_, change) => {
  const callSid = await endCall(admin, lead.number);
  await changeRows(admin, sql`${change} where organisation_id = ${admin.organisationId}`);
  await deleteUndoably();
  await purge();
  expect(await isGone()).toBe(false);
  expect(await activityOf(admin, callSid)).not.toBeNull();
});

test("deletes a lead without calls at once", async () => {
  expect((await deleteAtOnce()).statusCode).toBe(204);
  expect(await isGone()).toBe(true);
  expect((await app.ask("GET", "/v1/lead-changes", { token: admin.token })).json()).toEqual([]);
});

test("waits at most a day for a call to be logged", async () => {
  await endCall(admin, lead.number, { during: deleteAtOnce });
  await changeRows(
    admin,
    sql`update lead_changes set created_at = created_at - interval '25 hours' where user_id = ${admin.id}`,
  );
  await purge();
  expect(await isGone()).toBe(true);
});

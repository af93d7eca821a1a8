import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { callsAtCrms } from "../../../testing/calls-at-crms.ts";
import { testAppWithCalls } from "../../../testing/test-calls.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  leadsOf,
  newAdmin,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { purgeRemovedJob } from "../../lead-changes/purge-removed.ts";

const app = testAppWithCalls();
const { endCall, leadWithOwnNumber, activityOf, writeAll, changeRows } = callsAtCrms(app);

describe.each(crmIds)("a call that is logged in %s", (service) => {
  const sandbox = () => app.crm.sandboxOf(service);
  const writtenOf = (...callSids: string[]) =>
    sandbox()
      .writtenCalls()
      .filter(({ callSid }) => callSids.includes(callSid));

  let admin: Admin;
  let integrationId: string;
  let lead: { number: string; externalId: string; id: string };
  let callSid: string;
  beforeEach(async () => {
    admin = await newAdmin(app);
    await connect();
    const own = await leadWithOwnNumber(admin);
    lead = { ...own, id: await idOf(own.externalId) };
  });

  async function connect(): Promise<void> {
    integrationId = await connectIntegration(app, admin, service);
    await chooseSuggestedSource(app, admin, integrationId);
    await syncToTheEnd(app, admin, integrationId);
  }
  async function idOf(externalId: string): Promise<string> {
    const { rows } = await app.database.withTransaction({ organisationId: admin.organisationId }, (tx) =>
      sql<{ id: string }>`select id from leads
        where organisation_id = ${admin.organisationId} and external_id = ${externalId}`.execute(tx),
    );
    return rows[0]?.id ?? "";
  }
  /** Gives another of the CRM's leads the number. */
  async function share(): Promise<string> {
    const other = (await leadsOf(app, admin)).find(
      ({ external_id, phone_number }) => external_id !== null && phone_number !== lead.number,
    );
    const externalId = other?.external_id ?? "";
    await changeRows(
      admin,
      sql`update leads set phone = ${lead.number}, phone_number = ${lead.number}
        where organisation_id = ${admin.organisationId} and external_id = ${externalId}`,
    );
    return externalId;
  }
  async function log(options: { leadId?: string } = {}): Promise<void> {
    callSid = await endCall(admin, lead.number, options);
    await writeAll(admin);
    expect(writtenOf(callSid)).toMatchObject([{ leadExternalId: lead.externalId }]);
  }
  async function deleteForGood(): Promise<void> {
    expect((await app.ask("DELETE", `/v1/leads/${lead.id}`, { token: admin.token })).statusCode).toBe(204);
    await changeRows(admin, sql`update lead_changes set undo_until = clock_timestamp() where user_id = ${admin.id}`);
    await purgeRemovedJob(app.database).run({}, { enqueue: async () => {} });
    expect(await activityOf(admin, callSid)).toBeNull();
  }
  const setNote = () => changeRows(admin, sql`update calls set note = 'Wants a quote.' where call_sid = ${callSid}`);
  const readCall = async () => (await app.ask("GET", `/v1/calls/${callSid}`, { token: admin.token })).json();

  test("stays on that record alone when its lead is deleted, another has its number and its note changes", async () => {
    await share();
    await log({ leadId: lead.id });
    await deleteForGood();
    await setNote();
    await writeAll(admin);
    expect(writtenOf(callSid)).toMatchObject([{ leadExternalId: lead.externalId }]);
    expect((await readCall()).activity).toEqual({ state: "written", service: null, url: null, problem: null });
  });

  test("stays on that record alone when its lead is deleted and the CRM brings another with its number", async () => {
    await log();
    await deleteForGood();
    sandbox().leads.add("Newcomer");
    const externalId = sandbox().leads.list().at(-1)?.id ?? "";
    sandbox().leads.change(externalId, { phone: lead.number });
    await syncToTheEnd(app, admin, integrationId);
    const next = await endCall(admin, lead.number);
    await writeAll(admin);
    expect(writtenOf(callSid, next).map((call) => [call.callSid, call.leadExternalId])).toEqual([
      [callSid, lead.externalId],
      [next, externalId],
    ]);
    sandbox().leads.remove(externalId);
  });

  test("stays on that record alone when the CRM was removed and another lead is chosen for its number", async () => {
    await log();
    await app.ask("DELETE", `/v1/integrations/${integrationId}`, { token: admin.token });
    expect((await readCall()).activity).toMatchObject({ state: "written", service: null });
    await connect();
    const other = await share();
    await setNote();
    const next = await endCall(admin, lead.number);
    const path = `/v1/calls/${next}/activity` as const;
    const body = { leadId: await idOf(other) };
    expect((await app.ask("PUT", path, { token: admin.token, body })).statusCode).toBe(204);
    await writeAll(admin);
    const written = writtenOf(callSid, next);
    expect(written).toMatchObject([
      { callSid, leadExternalId: lead.externalId, note: expect.stringContaining("Wants a quote.") },
      { callSid: next, leadExternalId: other },
    ]);
  });
});

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import type { Tx } from "../../../db/transaction.ts";
import { callsAtCrms } from "../../../testing/calls-at-crms.ts";
import { testApp } from "../../../testing/test-app.ts";
import { type Admin, connectIntegration, newAdmin, syncToTheEnd } from "../../../testing/test-integrations.ts";
import { rereadNumbers } from "../../leads/numbers/reread-numbers.ts";
import { upsertLeads } from "../../leads/sync/upsert-leads.ts";
import { insertMissedActivities } from "./call-activities.table.ts";

const app = testApp();
const { endCall, leadWithOwnNumber, activityOf, writeAll, changeRows } = callsAtCrms(app);
const leads = () => app.crm.sandbox.leads;
const writtenOf = (callSid: string) => app.crm.sandbox.writtenCalls().filter((call) => call.callSid === callSid);
const number = "+442079460021";

let admin: Admin;
let integrationId: string;
let lead: { id: string; externalId: string; former: string };
/** Ended before the integration was added. */
let before: string;
beforeEach(async () => {
  admin = await newAdmin(app);
  before = await endCall(admin, number);
  integrationId = await connectIntegration(app, admin);
  await syncToTheEnd(app, admin, integrationId);
  const own = await leadWithOwnNumber(admin);
  const found = await app.ask("GET", `/v1/leads?phoneNumber=${encodeURIComponent(own.number)}`, { token: admin.token });
  lead = { id: found.json()[0].id, externalId: own.externalId, former: own.number };
});

const within = <T>(work: (tx: Tx) => Promise<T>) =>
  app.database.withTransaction({ organisationId: admin.organisationId }, work);
const editPhone = (phone: string) => app.ask("PUT", `/v1/leads/${lead.id}`, { token: admin.token, body: { phone } });
const addLead = async (phone: string): Promise<string> => {
  const body = { firstName: "Kim", lastName: "Same", email: "kim@same.example", phone };
  return (await app.ask("POST", "/v1/leads", { token: admin.token, body })).json().id;
};
async function mergeOther(): Promise<string> {
  await changeRows(admin, sql`update leads set phone = '', phone_number = null where id = ${lead.id}`);
  const body = { keepId: lead.id, otherIds: [await addLead(number)] };
  return (await app.ask("POST", "/v1/lead-merges", { token: admin.token, body })).json().id;
}
async function syncNumber(): Promise<void> {
  leads().change(lead.externalId, { phone: number });
  await syncToTheEnd(app, admin, integrationId);
  leads().change(lead.externalId, { phone: lead.former });
}
async function rereadNumber(): Promise<void> {
  await changeRows(admin, sql`update leads set phone = '020 7946 0021', phone_number = null where id = ${lead.id}`);
  await changeRows(admin, sql`update organisations set default_country = 'GB' where id = ${admin.organisationId}`);
  await within((tx) => rereadNumbers(tx, { organisationId: admin.organisationId, after: 0 }));
}

describe("a call that ends before its lead has its number", () => {
  test.each([
    ["a sync brings it", syncNumber],
    ["a rep enters it", () => editPhone(number)],
    ["it is read by another default country", rereadNumber],
    ["a merge fills it in", mergeOther],
  ])("is logged once %s, unless it ended before the integration was added", async (_, change) => {
    const callSid = await endCall(admin, number);
    expect(await activityOf(admin, callSid)).toBeNull();
    await change();
    await writeAll(admin);
    expect(writtenOf(callSid)).toMatchObject([{ leadExternalId: lead.externalId }]);
    expect(await activityOf(admin, before)).toBeNull();
    // Only calls with the new number.
    await editPhone(lead.former);
    expect(await activityOf(admin, before)).toBeNull();
  });

  test("waits for a choice if another lead has the number, too", async () => {
    await addLead(number);
    const callSid = await endCall(admin, number);
    await editPhone(number);
    expect(await activityOf(admin, callSid)).toMatchObject({ state: "to-sort" });
    await editPhone(lead.former);
    expect(await activityOf(admin, callSid)).toBeNull();
  });

  test("isn't logged if the merge that filled it in is undone first", async () => {
    const callSid = await endCall(admin, number);
    const id = await mergeOther();
    expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting" });
    expect((await app.ask("POST", `/v1/lead-merges/${id}/undo`, { token: admin.token })).statusCode).toBe(204);
    expect(await activityOf(admin, callSid)).toBeNull();
  });
});

describe("a call that ends while a transaction that it can't see", () => {
  const newcomer = { externalId: "00Q000000000021", firstName: "Nia", lastName: "New", email: "", phone: number };
  const store = (tx: Tx) => {
    const key = { organisationId: admin.organisationId, integrationId };
    return upsertLeads(tx, { ...key, leads: [newcomer], asOf: new Date().toISOString() });
  };
  const setNumber = (tx: Tx) => sql`update leads set phone_number = ${number} where id = ${lead.id}`.execute(tx);

  test.each([
    ["stores its lead", store],
    ["gives its lead the number", setNumber],
  ])("%s is logged within a minute", async (_, change) => {
    const callSid = await within(async (tx) => {
      await change(tx);
      return endCall(admin, number);
    });
    expect(await activityOf(admin, callSid)).toBeNull();
    await within(insertMissedActivities);
    expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting" });
    expect(await activityOf(admin, before)).toBeNull();
  });
});

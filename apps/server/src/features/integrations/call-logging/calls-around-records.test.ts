import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { callsAtCrms } from "../../../testing/calls-at-crms.ts";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import {
  addIntegration,
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  giveAccess,
  newAdmin,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { deleteLeadsByExternalId } from "../../leads/sync/upsert-leads.ts";

const app = testApp();
const { endCall, leadWithOwnNumber, activityOf, writeAll, changeRows } = callsAtCrms(app);

describe("a call whose lead's record leaves the CRM", () => {
  let admin: Admin;
  let integrationId: string;
  let lead: { number: string; externalId: string; id: string };
  const writtenOf = (callSid: string) => app.crm.sandbox.writtenCalls().filter((call) => call.callSid === callSid);
  beforeEach(async () => {
    admin = await newAdmin(app);
    integrationId = await connectIntegration(app, admin);
    await syncToTheEnd(app, admin, integrationId);
    const own = await leadWithOwnNumber(admin);
    const path = `/v1/leads?phoneNumber=${encodeURIComponent(own.number)}` as const;
    lead = { ...own, id: (await app.ask("GET", path, { token: admin.token })).json()[0].id };
  });
  const noteAsWorkedWith = () =>
    app.ask("POST", `/v1/leads/${lead.id}/notes`, { token: admin.token, body: { text: "Asks for a quote" } });
  const leave = () =>
    app.database.withTransaction({ organisationId: admin.organisationId }, (tx) => {
      const gone = { organisationId: admin.organisationId, integrationId, externalIds: [lead.externalId], asOf: null };
      return deleteLeadsByExternalId(tx, gone);
    });
  const comeBack = () =>
    changeRows(
      admin,
      sql`update leads set integration_id = ${integrationId}, external_id = ${lead.externalId} where id = ${lead.id}`,
    );

  test.each([
    ["placed from the lead", true],
    ["to its number", false],
  ])("during the call, %s, is listed as not logged, and logged once the record is back", async (_, named) => {
    const callSid = await endCall(admin, lead.number, { ...(named && { leadId: lead.id }), during: leave });
    await writeAll(admin);
    expect(await activityOf(admin, callSid)).toMatchObject({
      state: "failed",
      problem: expect.stringMatching(
        /^The lead’s record was deleted, merged or hidden in .*, or retry once the record is back\.$/,
      ),
    });
    await comeBack();
    await writeAll(admin);
    expect(writtenOf(callSid)).toMatchObject([{ leadExternalId: lead.externalId }]);
  });

  test("before the call isn't listed, and logged once the record is back", async () => {
    await noteAsWorkedWith();
    await leave();
    const callSids = [await endCall(admin, lead.number, { leadId: lead.id }), await endCall(admin, lead.number)];
    for (const callSid of callSids) expect(await activityOf(admin, callSid)).toBeNull();
    await comeBack();
    await writeAll(admin);
    for (const callSid of callSids) expect(writtenOf(callSid)).toMatchObject([{ leadExternalId: lead.externalId }]);
  });
});

describe.each(crmIds)("a call that ends before its lead arrives from %s", (service) => {
  const sandbox = () => app.crm.sandboxOf(service);

  test("is logged once the lead is here, unless it ended before the integration was added", async () => {
    const number = "+442079460018";
    const admin = await newAdmin(app);
    const before = await endCall(admin, number);
    const integrationId = await addIntegration(app, admin, service);
    await giveAccess(app, admin, integrationId, service);
    await chooseSuggestedSource(app, admin, integrationId);
    const [meanwhile, unknown] = [await endCall(admin, number), await endCall(admin, "+442079460019")];
    sandbox().leads.add("Newcomer");
    const externalId = sandbox().leads.list().at(-1)?.id ?? "";
    sandbox().leads.change(externalId, { phone: number });
    await syncToTheEnd(app, admin, integrationId);
    expect(await activityOf(admin, meanwhile)).toMatchObject({ state: "waiting" });
    await writeAll(admin);
    const written = sandbox()
      .writtenCalls()
      .filter((call) => call.leadExternalId === externalId);
    expect(written.map(({ callSid }) => callSid)).toEqual([meanwhile]);
    expect([await activityOf(admin, before), await activityOf(admin, unknown)]).toEqual([null, null]);
    // A later sync adds nothing.
    sandbox().leads.rename(externalId, "Renamed");
    await syncToTheEnd(app, admin, integrationId);
    await writeAll(admin);
    expect(await activityOf(admin, before)).toBeNull();
    sandbox().leads.remove(externalId);
  });
});

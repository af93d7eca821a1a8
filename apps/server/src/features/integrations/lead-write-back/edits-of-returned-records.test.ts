import { beforeEach, describe, expect, test } from "vitest";
import { leadsAtCrms } from "../../../testing/leads-at-crms.ts";
import { joinOrganisation, registerPerson, testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import { type Admin, syncToTheEnd } from "../../../testing/test-integrations.ts";
import { deleteLeadsByExternalId } from "../../leads/sync/upsert-leads.ts";

const app = testApp();
const hands = leadsAtCrms(app);
const { edit, leadOf, writingOf, writeAll, recordOf } = hands;

const noor = "noor.blake@sandbox.example";
const sam = "sam.ortiz@sandbox.example";
/** Which of the sandbox's leads a test uses: each its own. */
let next = 100;

describe.each(crmIds)("when a record is gone from %s and comes back, its lead's edit", (service) => {
  const leads = () => app.crm.sandboxOf(service).leads;
  let admin: Admin;
  let integrationId: string;
  let leadId: string;
  let externalId: string;
  beforeEach(async () => {
    ({ by: admin, integrationId } = await hands.connect(service, { sends: true }));
    do {
      const { id, record } = await hands.leadAt(admin, service, (next += 1));
      [leadId, externalId] = [id, record.id];
      // A converted lead can't be changed in every CRM.
    } while (recordOf(service, externalId)?.owner !== noor || (await leadOf(admin, leadId)).status === "Qualified");
    const note = { token: admin.token, body: { text: "Asks for a quote" } };
    await app.ask("POST", `/v1/leads/${leadId}/notes`, note);
  });

  async function leave(): Promise<void> {
    const gone = { organisationId: admin.organisationId, integrationId, externalIds: [externalId], asOf: null };
    await app.database.withTransaction(gone, (tx) => deleteLeadsByExternalId(tx, gone));
    expect(await leadOf(admin, leadId)).toMatchObject({ integrationId: null });
  }
  /** A sync reads it, because someone has changed it there. */
  async function comeBack(): Promise<void> {
    leads().change(externalId, { jobTitle: `Mason ${next}` });
    await syncToTheEnd(app, admin, integrationId);
    expect(await leadOf(admin, leadId)).toMatchObject({ integrationId, jobTitle: `Mason ${next}` });
  }

  test("that waited then is sent", async () => {
    await edit(admin, leadId, { company: "Granite" });
    await leave();
    await writeAll(admin);
    expect(await writingOf(admin, leadId)).toBeNull();
    await comeBack();
    expect(await writingOf(admin, leadId)).toMatchObject({ state: "waiting", problem: null });
    await writeAll(admin);
    expect(recordOf(service, externalId)).toMatchObject({ company: "Granite", jobTitle: `Mason ${next}` });
    expect(await writingOf(admin, leadId)).toMatchObject({ state: "written", conflicts: [] });
  });

  test("of its status that was made meanwhile is sent", async () => {
    const status = (await leadOf(admin, leadId)).status === "Working" ? "Unqualified" : "Working";
    await leave();
    await edit(admin, leadId, { status });
    await comeBack();
    await writeAll(admin);
    expect(await writingOf(admin, leadId)).toMatchObject({ state: "written" });
    expect(await syncToTheEnd(app, admin, integrationId)).toMatchObject({ updated: 0 });
    expect(await leadOf(admin, leadId)).toMatchObject({ status });
  });

  test("of its owner is sent", async () => {
    const eve = await registerPerson(app);
    await joinOrganisation(app, eve, { organisationId: admin.organisationId, role: "member" });
    const body = { owners: [{ id: sam, mapsTo: "member", userId: eve.id }] };
    await app.ask("PUT", `/v1/integrations/${integrationId}/owners`, { token: admin.token, body });
    await leave();
    await edit(admin, leadId, { ownerId: eve.id });
    await comeBack();
    await writeAll(admin);
    expect(recordOf(service, externalId)).toMatchObject({ owner: sam });
  });

  test("that equals the record, or that isn't to be sent, is not", async () => {
    await leave();
    await comeBack();
    expect(await writingOf(admin, leadId)).toBeNull();
    await hands.send(admin, integrationId, false);
    await edit(admin, leadId, { company: "Granite" });
    await leave();
    await comeBack();
    expect(await writingOf(admin, leadId)).toBeNull();
  });
});

import type { CrmField } from "@leadline/contract/crm-mapping";
import type { Lead } from "@leadline/contract/leads";
import type { SandboxLead } from "@leadline/crm-sandbox/sandbox-crm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { leadsAtCrms } from "../../../testing/leads-at-crms.ts";
import { joinOrganisation, registerPerson, testApp, type TestPerson } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import { type Admin, syncToTheEnd } from "../../../testing/test-integrations.ts";

const app = testApp();
const hands = leadsAtCrms(app);
const { edit, leadOf, writingOf, writeAll, recordOf, timelineOf } = hands;

const noor = "noor.blake@sandbox.example";
const sam = "sam.ortiz@sandbox.example";
const ida = "ida.holm@sandbox.example";

let service: string;
const sandbox = () => app.crm.sandboxOf(service);
let admin: Admin;
let integrationId: string;
let eve: TestPerson;
let leadId: string;
let externalId: string;
let used = 60;

/** The next unused lead that Noor owns in the CRM. A converted one can't be changed in every CRM. */
async function nextLead(): Promise<{ id: string; record: SandboxLead }> {
  for (;;) {
    const found = await hands.leadAt(admin, service, (used += 1));
    if (found.record.owner === noor && (await leadOf(admin, found.id)).status !== "Qualified") return found;
  }
}

const mapOwners = (...owners: object[]) =>
  app.ask("PUT", `/v1/integrations/${integrationId}/owners`, { token: admin.token, body: { owners } });
const isEve = (owner: string) => mapOwners({ id: owner, mapsTo: "member", userId: eve.id });

async function mapNextStep(): Promise<void> {
  const { token } = admin;
  const path = `/v1/integrations/${integrationId}` as const;
  const sources: { id: string; name: string }[] = (await app.ask("GET", `${path}/sources`, { token })).json();
  const source = sources.find(({ name }) => ["Leads", "Contacts"].includes(name))?.id ?? "";
  const described = await app.ask("GET", `${path}/sources/${source}`, { token });
  const { fields, suggested }: { fields: CrmField[]; suggested: object } = described.json();
  const nextStep = fields.find(({ name }) => /^next step$/i.test(name))?.id;
  const saved = await app.ask("PUT", `${path}/mapping`, {
    token,
    body: { source, fields: { ...suggested, nextStep } },
  });
  expect(saved.statusCode).toBe(200);
}

describe.each(crmIds)("at %s,", (name) => {
  beforeEach(async () => {
    service = name;
    sandbox().faults.clear();
    ({ by: admin, integrationId } = await hands.connect(service, { sends: true }));
    eve = await registerPerson(app);
    await joinOrganisation(app, eve, { organisationId: admin.organisationId, role: "member" });
    const found = await nextLead();
    [leadId, externalId] = [found.id, found.record.id];
  });

  describe("an owner chosen in Leadline", () => {
    test("becomes the owner in the CRM whom Map fields gives this member, and the next sync changes nothing", async () => {
      await isEve(sam);
      await edit(admin, leadId, { ownerId: eve.id, company: "Granite" });
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "waiting" });
      await writeAll(admin);
      expect(recordOf(service, externalId)).toMatchObject({ owner: sam, company: "Granite" });
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "written", problem: null, conflicts: [] });
      expect(await syncToTheEnd(app, admin, integrationId)).toMatchObject({ created: 0, updated: 0 });
      expect((await leadOf(admin, leadId)).owner).toMatchObject({ userId: eve.id });
      // From now on the lead follows the CRM again.
      sandbox().leads.change(externalId, { owner: noor });
      await syncToTheEnd(app, admin, integrationId);
      expect((await leadOf(admin, leadId)).owner).toEqual({ userId: null, name: "Noor Blake" });
    });

    test("for many leads at once is written for each", async () => {
      await isEve(sam);
      const other = await nextLead();
      const action = { kind: "owner", ownerId: eve.id };
      const body = { ids: [leadId, other.id], action };
      expect((await app.ask("POST", "/v1/lead-changes", { token: admin.token, body })).statusCode).toBe(201);
      await vi.waitFor(async () => expect((await leadOf(admin, other.id)).owner?.userId).toBe(eve.id));
      await writeAll(admin);
      for (const id of [externalId, other.record.id]) expect(recordOf(service, id)?.owner).toBe(sam);
    });

    test("loses against another owner in the CRM meanwhile, who is in the timeline", async () => {
      await isEve(sam);
      await edit(admin, leadId, { ownerId: eve.id, jobTitle: "Sculptor" });
      sandbox().leads.change(externalId, { owner: ida });
      await writeAll(admin);
      expect(recordOf(service, externalId)).toMatchObject({ owner: ida, jobTitle: "Sculptor" });
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "written", conflicts: ["owner"] });
      expect((await leadOf(admin, leadId)).owner).toEqual({ userId: null, name: "Ida Holm" });
      const [latest] = await timelineOf(admin, leadId);
      expect(latest).toMatchObject({ userName: null, fields: [{ field: "owner" }] });
    });

    test("who isn't one in the CRM stays in Leadline with a reason, while other fields are written", async () => {
      await edit(admin, leadId, { ownerId: eve.id, company: "Granite" });
      await writeAll(admin);
      expect(recordOf(service, externalId)).toMatchObject({ owner: noor, company: "Granite" });
      expect(await writingOf(admin, leadId)).toMatchObject({
        state: "failed",
        problem: expect.stringContaining("Robin Tester isn’t an owner in"),
      });
      await syncToTheEnd(app, admin, integrationId);
      expect((await leadOf(admin, leadId)).owner).toMatchObject({ userId: eve.id });
      await isEve(sam);
      await hands.retry(admin, leadId);
      await writeAll(admin);
      expect(recordOf(service, externalId)?.owner).toBe(sam);
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "written", problem: null });
    });

    test("of an earlier time is written when sending is switched on, and other owners are left alone", async () => {
      await hands.send(admin, integrationId, false);
      await isEve(sam);
      const other = await nextLead();
      await mapOwners({ id: noor, mapsTo: "member", userId: admin.id });
      await vi.waitFor(async () => expect((await leadOf(admin, other.id)).owner?.userId).toBe(admin.id));
      await edit(admin, leadId, { ownerId: eve.id });
      await hands.send(admin, integrationId, true);
      await writeAll(admin);
      expect(recordOf(service, externalId)?.owner).toBe(sam);
      expect(await writingOf(admin, other.id)).toBeNull();
    });
  });

  test("another member for an owner of the CRM moves its leads here and writes nothing there", async () => {
    const before = recordOf(service, externalId);
    await isEve(noor);
    await vi.waitFor(async () => expect((await leadOf(admin, leadId)).owner?.userId).toBe(eve.id));
    expect(await writingOf(admin, leadId)).toBeNull();
    await writeAll(admin);
    expect(recordOf(service, externalId)).toEqual(before);
  });

  test("a lead created from Leadline has its owner there", async () => {
    await isEve(sam);
    const lead: Lead = await hands.add(admin, { ownerId: eve.id });
    await hands.createIn(admin, lead.id, integrationId);
    await writeAll(admin);
    const record = sandbox()
      .leads.list()
      .find(({ email }) => email === lead.email);
    expect(record?.owner).toBe(sam);
    expect((await leadOf(admin, lead.id)).owner).toMatchObject({ userId: eve.id });
  });

  test("a lead created from Leadline with an owner who isn't there says so", async () => {
    const lead: Lead = await hands.add(admin, { ownerId: eve.id });
    await hands.createIn(admin, lead.id, integrationId);
    await writeAll(admin);
    expect((await leadOf(admin, lead.id)).owner).toMatchObject({ userId: eve.id });
    expect(await writingOf(admin, lead.id)).toMatchObject({
      state: "failed",
      creates: false,
      problem: expect.stringContaining("isn’t an owner in"),
    });
  });

  describe("the next step", () => {
    test("is the team's own until the CRM has another", async () => {
      await edit(admin, leadId, { nextStep: "Send a quote" });
      sandbox().leads.change(externalId, { company: "Granite" });
      await syncToTheEnd(app, admin, integrationId);
      expect(await leadOf(admin, leadId)).toMatchObject({ nextStep: "Send a quote", company: "Granite" });
    });

    test("comes from the mapped field, and what the team entered before stays", async () => {
      await edit(admin, leadId, { nextStep: "Send a quote" });
      const other = await nextLead();
      sandbox().leads.change(other.record.id, { nextStep: "Ask\nfor  the budget" });
      await mapNextStep();
      await syncToTheEnd(app, admin, integrationId);
      expect((await leadOf(admin, leadId)).nextStep).toBe("Send a quote");
      expect((await leadOf(admin, other.id)).nextStep).toBe("Ask for the budget");
      sandbox().leads.change(other.record.id, { nextStep: "x".repeat(250) });
      await syncToTheEnd(app, admin, integrationId);
      expect((await leadOf(admin, other.id)).nextStep).toBe("x".repeat(200));
    });

    test("that the team changes is written to the mapped field, unless it was changed there", async () => {
      await mapNextStep();
      await syncToTheEnd(app, admin, integrationId);
      await edit(admin, leadId, { nextStep: "Send a quote" });
      await writeAll(admin);
      expect(recordOf(service, externalId)?.nextStep).toBe("Send a quote");
      await edit(admin, leadId, { nextStep: "Call again" });
      sandbox().leads.change(externalId, { nextStep: "Wait" });
      await writeAll(admin);
      expect(recordOf(service, externalId)?.nextStep).toBe("Wait");
      expect(await leadOf(admin, leadId)).toMatchObject({ nextStep: "Wait" });
      expect(await writingOf(admin, leadId)).toMatchObject({ conflicts: ["nextStep"] });
    });
  });
});

import { randomUUID } from "node:crypto";
import type { LeadTimelineEntry } from "@leadline/contract/lead-timeline";
import type { Lead } from "@leadline/contract/leads";
import { describe, expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import { type Admin, newAdmin } from "../../../testing/test-integrations.ts";
import { type ExternalLead, upsertLeads } from "./upsert-leads.ts";

const app = testApp();

const bob: ExternalLead = {
  externalId: "00Q1",
  firstName: "Bob",
  lastName: "Stone",
  email: "bob@example.com",
  phone: "+12025550100",
  company: "Quarry",
  jobTitle: "Mason",
  nextStep: "Call back",
};
/** A rep's change of each field that a CRM fills in. */
const edit = {
  firstName: "Robert",
  lastName: "Rock",
  email: "robert@example.com",
  phone: "+12025550111",
  company: "Granite",
  jobTitle: "Sculptor",
  nextStep: "Send a quote",
};
const edits = Object.entries(edit).map(([field, value]) => ({ field: field as keyof typeof edit, value }));

/** A CRM's leads of a new organisation. */
async function newCrm() {
  const by = await newAdmin(app);
  const key = { organisationId: by.organisationId, integrationId: randomUUID() };
  return {
    by,
    read: (...leads: ExternalLead[]) =>
      app.database.withTransaction(key, (tx) => upsertLeads(tx, { ...key, leads, asOf: new Date().toISOString() })),
    lead: () => firstLead(by),
    async edit(change: Partial<typeof edit>) {
      const { id } = await firstLead(by);
      const answer = await app.ask("PUT", `/v1/leads/${id}`, { token: by.token, body: change });
      expect(answer.statusCode).toBe(200);
    },
    history: async (): Promise<LeadTimelineEntry[]> =>
      (await app.ask("GET", `/v1/leads/${(await firstLead(by)).id}/timeline`, { token: by.token })).json(),
  };
}
async function firstLead({ token }: Admin): Promise<Lead> {
  const [lead] = (await app.ask("GET", "/v1/leads?sort=oldest", { token })).json();
  return lead;
}

describe("a rep's edit of a CRM's lead", () => {
  test.each(edits)("of $field stays until the CRM's own value changes, and is then in the history", async (made) => {
    const { field, value } = made;
    const crm = await newCrm();
    await crm.read(bob);
    await crm.edit({ [field]: value });
    expect(await crm.read(bob)).toEqual({ created: 0, updated: 0 });
    expect((await crm.lead())[field]).toBe(value);
    // Another field changes there.
    expect(await crm.read({ ...bob, url: "/bob" })).toEqual({ created: 0, updated: 1 });
    expect((await crm.lead())[field]).toBe(value);
    const theirs = field === "phone" ? "+12025550122" : "Another";
    await crm.read({ ...bob, [field]: theirs });
    const taken = await crm.lead();
    expect(taken[field]).toBe(theirs);
    expect(taken.phoneNumber).toBe(field === "phone" ? theirs : bob.phone);
    const [latest] = await crm.history();
    expect(latest).toMatchObject({ userName: null, fields: [{ field, before: value, after: theirs }] });
    // From now on the lead follows the CRM again.
    await crm.read(bob);
    expect((await crm.lead())[field]).toBe(bob[field]);
  });

  test("of one field leaves the others to the CRM", async () => {
    const crm = await newCrm();
    await crm.read(bob);
    await crm.edit({ company: "Granite" });
    await crm.read({ ...bob, jobTitle: "Builder" });
    expect(await crm.lead()).toMatchObject({ company: "Granite", jobTitle: "Builder" });
    await crm.edit({ phone: "+12025550111" });
    await crm.read({ ...bob, jobTitle: "Builder", company: "Slate" });
    expect(await crm.lead()).toMatchObject({ company: "Slate", phone: "+12025550111", phoneNumber: "+12025550111" });
  });

  test("that the CRM then makes as well ends the difference", async () => {
    const crm = await newCrm();
    await crm.read(bob);
    await crm.edit({ company: "Granite" });
    await crm.read({ ...bob, company: "Granite" });
    await crm.read(bob);
    expect((await crm.lead()).company).toBe("Quarry");
  });

  test("that is taken back leaves nothing to keep, whatever was edited in between", async () => {
    const crm = await newCrm();
    await crm.read(bob);
    for (const company of ["Granite", "Slate", "Quarry"]) await crm.edit({ company });
    await crm.read({ ...bob, company: "Marble" });
    expect((await crm.lead()).company).toBe("Marble");
  });

  test("to an empty field stays empty", async () => {
    const crm = await newCrm();
    await crm.read(bob);
    await crm.edit({ company: "", jobTitle: "" });
    await crm.read(bob);
    expect(await crm.lead()).toMatchObject({ company: "", jobTitle: "" });
  });
});

describe("a merge", () => {
  test("fills fields that a sync then leaves alone, and undoing it gives them back to the CRM", async () => {
    const crm = await newCrm();
    const { token } = crm.by;
    const bare = { ...bob, email: "", company: "" };
    await crm.read(bare);
    const kept = await crm.lead();
    const other = { firstName: "Bob", lastName: "Stone", email: "bob@own.example", phone: bob.phone, company: "Own" };
    const { id: otherId } = (await app.ask("POST", "/v1/leads", { token, body: other })).json();
    const body = { keepId: kept.id, otherIds: [otherId] };
    const merge = (await app.ask("POST", "/v1/lead-merges", { token, body })).json();
    expect(await crm.read(bare)).toEqual({ created: 0, updated: 0 });
    expect(await crm.lead()).toMatchObject({ email: "bob@own.example", company: "Own" });
    expect((await app.ask("POST", `/v1/lead-merges/${merge.id}/undo`, { token })).statusCode).toBe(204);
    await crm.read({ ...bare, company: "Marble" });
    expect(await crm.lead()).toMatchObject({ email: "", company: "Marble" });
  });

  test("keeps an edit of the lead that it hides, for when it is undone", async () => {
    const crm = await newCrm();
    const { token } = crm.by;
    await crm.read(bob);
    const { id } = await crm.lead();
    await crm.edit({ company: "Granite" });
    await crm.read(bob, { ...bob, externalId: "00Q2", firstName: "Eve" });
    const all: Lead[] = (await app.ask("GET", "/v1/leads?sort=oldest", { token })).json();
    const body = { keepId: all[1]?.id, otherIds: [id] };
    const merge = (await app.ask("POST", "/v1/lead-merges", { token, body })).json();
    await crm.read({ ...bob, jobTitle: "Builder" });
    await app.ask("POST", `/v1/lead-merges/${merge.id}/undo`, { token });
    expect(await crm.lead()).toMatchObject({ id, company: "Granite", jobTitle: "Builder" });
  });
});

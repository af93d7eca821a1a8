import { randomUUID } from "node:crypto";
import type { LeadStatus } from "@leadline/contract/leads";
import { describe, expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp } from "../../../testing/test-app.ts";
import { deleteLeadsByExternalId, type ExternalLead, upsertLeads } from "./upsert-leads.ts";

const app = testApp();

async function newIntegration() {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  const integrationId = randomUUID();
  const scope = { organisationId, userId: person.id };
  return {
    upsert: (leads: ExternalLead[]) =>
      app.database.withTransaction(scope, (tx) =>
        upsertLeads(tx, { organisationId, integrationId, leads, asOf: new Date().toISOString() }),
      ),
    remove: (externalIds: string[]) =>
      app.database.withTransaction(scope, (tx) =>
        deleteLeadsByExternalId(tx, { organisationId, integrationId, externalIds, asOf: null }),
      ),
    /** As a rep would in Leadline. */
    setStatus: (status: LeadStatus) =>
      app.database.withTransaction(scope, (tx) =>
        tx.updateTable("leads").set({ status }).where("organisation_id", "=", organisationId).execute(),
      ),
    /** Runs `work` while a rep's change of the leads isn't committed yet. */
    whileSaving: (work: () => Promise<unknown>) =>
      app.database.withTransaction(scope, async (tx) => {
        const saved = tx.updateTable("leads").set({ next_step: "Call again" });
        await saved.where("organisation_id", "=", organisationId).execute();
        await work();
      }),
    rows: () =>
      app.database.withTransaction(scope, (tx) =>
        tx.selectFrom("leads").selectAll().where("organisation_id", "=", organisationId).orderBy("position").execute(),
      ),
  };
}

const bob: ExternalLead = {
  externalId: "00Q1",
  firstName: "Bob",
  lastName: "Stone",
  email: "bob@example.com",
  phone: "(202) 555-0100",
};

describe("upserting a CRM's leads", () => {
  test("creates, updates or skips leads, and counts each", async () => {
    const crm = await newIntegration();
    const eve = { ...bob, externalId: "00Q2", firstName: "Eve" };
    expect(await crm.upsert([bob, eve])).toEqual({ created: 2, updated: 0 });
    const [before] = await crm.rows();
    expect(await crm.upsert([bob, { ...eve, lastName: "Rock" }])).toEqual({ created: 0, updated: 1 });
    const [untouched, changed] = await crm.rows();
    expect(untouched).toEqual(before);
    expect(changed).toMatchObject({ first_name: "Eve", last_name: "Rock" });
    expect(changed?.updated_at).not.toBe(changed?.created_at);
  });

  test("doesn't wait for a lead that a rep is saving, if it is unchanged", async () => {
    const crm = await newIntegration();
    await crm.upsert([bob]);
    await crm.whileSaving(async () => expect(await crm.upsert([bob])).toEqual({ created: 0, updated: 0 }));
    expect((await crm.rows())[0]).toMatchObject({ first_name: "Bob", next_step: "Call again" });
  });

  test("keeps the number as written and in E.164, or null if it isn't one", async () => {
    const crm = await newIntegration();
    await crm.upsert([
      bob,
      { ...bob, externalId: "b", phone: "+49 30 901820" },
      { ...bob, externalId: "c", phone: "?" },
    ]);
    expect((await crm.rows()).map((row) => [row.phone, row.phone_number])).toEqual([
      ["(202) 555-0100", "+12025550100"],
      ["+49 30 901820", "+4930901820"],
      ["?", null],
    ]);
  });

  test("uses the CRM's status if it has one, and keeps the lead's own otherwise", async () => {
    const crm = await newIntegration();
    await crm.upsert([
      { ...bob, status: "Working" },
      { ...bob, externalId: "b" },
    ]);
    expect((await crm.rows()).map((row) => row.status).toSorted()).toEqual(["New", "Working"]);
    expect(await crm.upsert([bob])).toEqual({ created: 0, updated: 0 });
    expect(await crm.upsert([{ ...bob, status: "Qualified" }])).toEqual({ created: 0, updated: 1 });
    expect((await crm.rows()).map((row) => row.status).toSorted()).toEqual(["New", "Qualified"]);
  });

  test("keeps a rep's status whatever else changes in the CRM, until its status there changes", async () => {
    const crm = await newIntegration();
    const statusAfter = async (lead: ExternalLead) => {
      const counts = await crm.upsert([lead]);
      return [(await crm.rows())[0]?.status, counts.updated];
    };
    await crm.upsert([{ ...bob, status: "New" }]);
    await crm.setStatus("Qualified");
    expect(await statusAfter({ ...bob, status: "New" })).toEqual(["Qualified", 0]);
    expect(await statusAfter({ ...bob, lastName: "Rock", status: "New" })).toEqual(["Qualified", 1]);
    expect(await statusAfter({ ...bob, lastName: "Rock", status: "Working" })).toEqual(["Working", 1]);
    await crm.setStatus("Nurturing");
    expect(await statusAfter({ ...bob, lastName: "Rock" })).toEqual(["Nurturing", 0]);
    expect(await statusAfter({ ...bob, lastName: "Rock", status: "Working" })).toEqual(["Nurturing", 0]);
    expect(await statusAfter({ ...bob, lastName: "Rock", status: "New" })).toEqual(["New", 1]);
  });

  test("keeps a rep's status when only the mapping changes, and maps the CRM's own status again", async () => {
    const crm = await newIntegration();
    const statuses = async (...leads: ExternalLead[]) => {
      await crm.upsert(leads);
      return (await crm.rows()).map(({ status }) => status);
    };
    const warm = { ...bob, status: "Working", statusValue: "Stage\nWarm" } as const;
    const eve = { ...warm, externalId: "00Q2" };
    await crm.upsert([warm]);
    await crm.setStatus("Qualified");
    expect(await statuses(eve)).toEqual(["Qualified", "Working"]);
    // Another mapping of the value, or another field.
    const remapped = { status: "Nurturing" } as const;
    expect(await statuses({ ...warm, ...remapped }, { ...eve, ...remapped })).toEqual(["Qualified", "Nurturing"]);
    const elsewhere = { status: "Unqualified", statusValue: "Rating\nCold" } as const;
    expect(await statuses({ ...warm, ...elsewhere }, { ...eve, ...elsewhere })).toEqual(["Qualified", "Unqualified"]);
    expect(await crm.upsert([{ ...warm, ...elsewhere }])).toEqual({ created: 0, updated: 0 });
    // A change in the CRM.
    const changed = { status: "Working", statusValue: "Rating\nHot" } as const;
    expect(await statuses({ ...warm, ...changed }, { ...eve, ...changed })).toEqual(["Working", "Working"]);
  });

  test("keeps a rep's status when the status is no longer mapped to a field", async () => {
    const crm = await newIntegration();
    const warm = { ...bob, status: "Working", statusValue: "Stage\nWarm" } as const;
    await crm.upsert([warm]);
    await crm.setStatus("Qualified");
    await crm.upsert([{ ...warm, status: "New", statusValue: "" }]);
    expect(await crm.rows()).toMatchObject([{ status: "Qualified" }]);
  });

  test("keeps a rep's status when a lead of an earlier release is first mapped differently", async () => {
    const crm = await newIntegration();
    await crm.upsert([{ ...bob, status: "Working" }]);
    await crm.setStatus("Qualified");
    const warm = { ...bob, status: "Working", statusValue: "Stage\nWarm" } as const;
    await crm.upsert([warm]);
    expect(await crm.upsert([warm])).toEqual({ created: 0, updated: 0 });
    await crm.upsert([{ ...warm, status: "Nurturing" }]);
    expect(await crm.rows()).toMatchObject([{ status: "Qualified" }]);
  });

  test("uses the CRM's status if its last one is unknown", async () => {
    const crm = await newIntegration();
    await crm.upsert([bob]);
    await crm.setStatus("Nurturing");
    await crm.upsert([{ ...bob, status: "Working" }]);
    expect(await crm.rows()).toMatchObject([{ status: "Working" }]);
  });

  test("uses the last of two rows with one external id, and drops what a database can't store", async () => {
    const crm = await newIntegration();
    expect(await crm.upsert([bob, { ...bob, lastName: "St\0one II" }])).toEqual({ created: 1, updated: 0 });
    expect(await crm.rows()).toMatchObject([{ last_name: "Stone II" }]);
  });

  test("stores a page with half a character and a NUL in fields of its leads, and text that only looks like one", async () => {
    const crm = await newIntegration();
    const customFields = [
      { name: "Cut", value: "wave \ud83d" },
      { name: "Na\0me\ude00", value: "a\0b" },
      { name: "Path", value: String.raw`C:\u0000dir` },
    ];
    const lead = { ...bob, lastName: "Stone \ud83d", statusValue: "Stage\nWarm \ud83d", customFields };
    const owner = { name: "Uma \ud83d", email: "" };
    expect(await crm.upsert([{ ...lead, owner }])).toEqual({ created: 1, updated: 0 });
    expect(await crm.upsert([{ ...lead, owner }])).toEqual({ created: 0, updated: 0 });
    const fields = [
      { name: "Cut", value: "wave \ufffd" },
      { name: "Name\ufffd", value: "ab" },
      { name: "Path", value: String.raw`C:\u0000dir` },
    ];
    expect(await crm.rows()).toMatchObject([
      { last_name: "Stone \ufffd", owner_name: "Uma \ufffd", crm_fields: fields },
    ]);
  });

  test("cuts emails and owners that are too long for an index", async () => {
    const crm = await newIntegration();
    const long = Array.from({ length: 500 }, () => randomUUID()).join("");
    const leads = [
      { ...bob, email: long, owner: { name: "Uma", email: long } },
      { ...bob, externalId: "b", owner: { name: long, email: "" } },
    ];
    expect(await crm.upsert(leads)).toEqual({ created: 2, updated: 0 });
    expect(await crm.upsert(leads)).toEqual({ created: 0, updated: 0 });
    expect(await crm.rows()).toMatchObject([{ email: long.slice(0, 320) }, { owner_name: long.slice(0, 320) }]);
  });

  test("accepts no leads, and empty fields", async () => {
    const crm = await newIntegration();
    expect(await crm.upsert([])).toEqual({ created: 0, updated: 0 });
    expect(await crm.upsert([{ externalId: "e", firstName: "", lastName: "", email: "", phone: "" }])).toEqual({
      created: 1,
      updated: 0,
    });
  });

  test("never touches another organisation's or integration's lead with the same id", async () => {
    const [one, other] = [await newIntegration(), await newIntegration()];
    await one.upsert([bob]);
    expect(await other.upsert([{ ...bob, firstName: "Rob" }])).toEqual({ created: 1, updated: 0 });
    expect(await one.rows()).toMatchObject([{ first_name: "Bob" }]);
    expect(await other.remove(["00Q1", "unknown"])).toEqual({ deleted: 1, kept: 0 });
    expect(await other.rows()).toEqual([]);
    expect(await one.rows()).toHaveLength(1);
  });
});

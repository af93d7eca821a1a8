import type { LeadConflict, LeadMerge } from "@leadline/contract/lead-conflicts";
import type { Lead } from "@leadline/contract/leads";
import { describe, expect, test } from "vitest";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import { type ExternalLead, upsertLeads } from "../leads/sync/upsert-leads.ts";

const app = testAppWithCalls();

type Entry = Partial<ExternalLead> & { lastName: string };

/** Creates leads as an integration would. Returns a function that syncs again. */
function integrationOf(rep: Rep) {
  const key = { organisationId: rep.organisationId, integrationId: crypto.randomUUID() };
  return (leads: readonly Entry[]) =>
    app.database.withTransaction(key, (tx) =>
      upsertLeads(tx, {
        ...key,
        asOf: new Date().toISOString(),
        leads: leads.map((lead) => ({ externalId: lead.lastName, firstName: "Bob", email: "", phone: "", ...lead })),
      }),
    );
}
async function addLead(rep: Rep, fields: Entry): Promise<Lead> {
  const body = { firstName: "Bob", email: "bob@stone.example", phone: "+12025550100", ...fields };
  return (await app.ask("POST", "/v1/leads", { token: rep.token, body })).json();
}
const list = async (rep: Rep): Promise<Lead[]> =>
  (await app.ask("GET", "/v1/leads?sort=oldest", { token: rep.token })).json();
const names = (leads: readonly Lead[]) => leads.map(({ lastName }) => lastName);
const conflicts = async (rep: Rep, query = ""): Promise<LeadConflict[]> =>
  (await app.ask("GET", `/v1/lead-conflicts?${query}`, { token: rep.token })).json();
const shared = async (rep: Rep) =>
  (await conflicts(rep)).map(({ kind, value, leads }) => [kind, value, ...names(leads)]);
const merge = (rep: Rep, keepId: string | undefined, otherIds: (string | undefined)[]) =>
  app.ask("POST", "/v1/lead-merges", { token: rep.token, body: { keepId, otherIds } });
const undo = (rep: Rep, id: string) => app.ask("POST", `/v1/lead-merges/${id}/undo`, { token: rep.token });

describe("conflicts", () => {
  test("are leads of different sources that share a number or an email, each pair once, page by page", async () => {
    const rep = await newRep(app);
    const [first, second] = [integrationOf(rep), integrationOf(rep)];
    await first([
      { lastName: "Ann", phone: "+1 202 555 0101", email: "ann@x.example" },
      { lastName: "Ben", phone: "+1 202 555 0102", email: "ben@x.example" },
      // Two leads of one source aren't a conflict.
      { lastName: "Cy", phone: "+1 202 555 0103" },
      { lastName: "Cyd", phone: "+1 202 555 0103" },
    ]);
    await second([
      { lastName: "Anna", phone: "(202) 555-0101", email: "ANN@x.example" },
      { lastName: "Dan", phone: "+1 202 555 0104", email: "Ben@x.example" },
    ]);
    await addLead(rep, { lastName: "Eve", phone: "+12025550104", email: "eve@x.example" });
    expect(await shared(rep)).toEqual([
      ["phone", "+12025550101", "Ann", "Anna"],
      ["phone", "+12025550104", "Dan", "Eve"],
      ["email", "ben@x.example", "Ben", "Dan"],
    ]);
    const counted = await app.ask("GET", "/v1/lead-conflicts/count", { token: rep.token });
    expect(counted.json()).toEqual({ count: 3, more: false });
    const values: string[] = [];
    let query: string | undefined = "limit=1";
    while (query !== undefined) {
      const answer = await app.ask("GET", `/v1/lead-conflicts?${query}`, { token: rep.token });
      values.push(...answer.json().map(({ value }: LeadConflict) => value));
      query = /\?([^>]+)>/.exec(String(answer.headers["link"] ?? ""))?.[1];
    }
    expect(values).toEqual(["+12025550101", "+12025550104", "ben@x.example"]);
    expect(await conflicts(await newRep(app))).toEqual([]);
  });

  test("never come of the organisation's own numbers", async () => {
    const rep = await newRep(app);
    const { organisationId } = rep;
    const number = "+12025550105";
    await integrationOf(rep)([{ lastName: "Ann", phone: number }]);
    await addLead(rep, { lastName: "Eve", phone: number, email: "eve@x.example" });
    expect(await shared(rep)).toEqual([["phone", number, "Ann", "Eve"]]);
    await app.database.withTransaction({ organisationId }, (tx) =>
      tx
        .insertInto("verified_caller_ids")
        .values({ organisation_id: organisationId, number, server: "trunk" })
        .execute(),
    );
    expect(await shared(rep)).toEqual([]);
  });

  test("that were kept separate stay so until another lead has the same value", async () => {
    const rep = await newRep(app);
    await integrationOf(rep)([{ lastName: "Ann", phone: "+12025550100" }]);
    await addLead(rep, { lastName: "Eve" });
    const body = { kind: "phone", value: "+12025550100" };
    const keep = (given: object) =>
      app.ask("POST", "/v1/lead-conflicts/keep-separate", { token: rep.token, body: given });
    expect((await keep(body)).statusCode).toBe(204);
    expect(await shared(rep)).toEqual([]);
    await integrationOf(rep)([{ lastName: "Bea", phone: "+12025550100" }]);
    expect(await shared(rep)).toEqual([["phone", "+12025550100", "Ann", "Eve", "Bea"]]);
    expect((await keep({ ...body, value: "+12025550199" })).statusCode).toBe(404);
  });
});

describe("a merge", () => {
  test("moves calls, notes, files and follow-ups, fills gaps, and undoing it moves all of them back", async () => {
    const rep = await newRep(app);
    const sync = integrationOf(rep);
    await sync([{ lastName: "Ann", email: "ann@x.example", company: "Alder" }]);
    const [ann] = await list(rep);
    const eve = await addLead(rep, { lastName: "Eve", email: "ann@x.example" });
    const token = rep.token;
    await app.ask("POST", `/v1/leads/${eve.id}/notes`, { token, body: { text: "Asked for a quote." } });
    await app.ask("PUT", `/v1/leads/${eve.id}`, {
      token,
      body: { followUpOn: "2126-02-01", nextStep: "Call", company: "Birch" },
    });
    const form = new FormData();
    form.append("file[]", new File(["%PDF-1.7"], "offer.pdf"));
    form.append("entity", "lead");
    form.append("entityId", eve.id);
    await app.ask("POST", "/v1/files", { token, form });
    await leavePastCalls(app, rep, [
      { at: "2026-01-14T10:00:00Z", phoneNumber: "+12025550100", leadId: eve.id },
      { at: "2026-01-13T10:00:00Z", phoneNumber: "+12025550100" },
    ]);
    const ofLead = async (id: string | undefined) => ({
      notes: (await app.ask("GET", `/v1/leads/${id}/notes`, { token })).json().length,
      files: (await app.ask("GET", `/v1/files?entity=lead&entityId=${id}`, { token })).json().length,
      calls: (await app.ask("GET", `/v1/calls?leadId=${id}`, { token })).json().length,
    });
    const before = { leads: await list(rep), of: await Promise.all([ofLead(ann?.id), ofLead(eve.id)]) };
    const merged = await merge(rep, ann?.id, [eve.id]);
    expect(merged.statusCode).toBe(201);
    expect(merged.json()).toMatchObject({ lead: { lastName: "Ann" }, merged: 1, userName: "Robin Tester" });
    const own = { nextStep: "Call", followUpOn: "2126-02-01", company: "Alder", phone: "+12025550100" };
    expect(await list(rep)).toMatchObject([{ id: ann?.id, lastName: "Ann", ...own }]);
    expect(await ofLead(ann?.id)).toEqual({ notes: 1, files: 1, calls: 2 });
    expect(await shared(rep)).toEqual([]);
    const { id }: LeadMerge = (await app.ask("GET", "/v1/lead-merges", { token })).json()[0];
    expect((await undo(rep, id)).statusCode).toBe(204);
    expect((await undo(rep, id)).statusCode).toBe(404);
    const plain = (leads: readonly Lead[]) => leads.map((lead) => ({ ...lead, updatedAt: null }));
    expect(plain(await list(rep))).toEqual(plain(before.leads));
    expect(await Promise.all([ofLead(ann?.id), ofLead(eve.id)])).toEqual(before.of);
    expect(await shared(rep)).toEqual([["email", "ann@x.example", "Ann", "Eve"]]);
  });

  test("a link to a merged lead returns the kept one, however often it was merged", async () => {
    const rep = await newRep(app);
    const [ann, bob, cy] = [
      await addLead(rep, { lastName: "Ann" }),
      await addLead(rep, { lastName: "Bob" }),
      await addLead(rep, { lastName: "Cy" }),
    ];
    const read = (id: string) => app.ask("GET", `/v1/leads/${id}`, { token: rep.token });
    await merge(rep, bob.id, [ann.id]);
    const { id } = (await merge(rep, cy.id, [bob.id])).json();
    expect((await read(ann.id)).json()).toMatchObject({ id: cy.id, lastName: "Cy" });
    const stranger = await newRep(app);
    expect((await app.ask("GET", `/v1/leads/${ann.id}`, { token: stranger.token })).statusCode).toBe(404);
    await undo(rep, id);
    expect((await read(ann.id)).json()).toMatchObject({ id: bob.id });
    await app.ask("DELETE", `/v1/leads/${bob.id}`, { token: rep.token });
    expect((await read(ann.id)).statusCode).toBe(404);
  });

  test("keeps both CRM records linked: no sync imports the merged lead again", async () => {
    const rep = await newRep(app);
    const [first, second] = [integrationOf(rep), integrationOf(rep)];
    const ann = { lastName: "Ann", phone: "+12025550100" };
    await first([ann]);
    await second([ann]);
    const [one, other] = await list(rep);
    const { id } = (await merge(rep, one?.id, [other?.id])).json();
    expect(await second([{ ...ann, company: "Alder" }])).toEqual({ created: 0, updated: 1 });
    expect(await first([{ ...ann, company: "Birch" }])).toEqual({ created: 0, updated: 1 });
    expect((await list(rep)).map(({ company }) => company)).toEqual(["Birch"]);
    await undo(rep, id);
    expect((await list(rep)).map(({ company }) => company)).toEqual(["Birch", "Alder"]);
  });

  test("accepts only the organisation's own leads, each once", async () => {
    const [rep, stranger] = [await newRep(app), await newRep(app)];
    const [own, theirs] = [await addLead(rep, { lastName: "Eve" }), await addLead(stranger, { lastName: "Far" })];
    expect((await merge(rep, own.id, [theirs.id])).statusCode).toBe(404);
    expect((await merge(rep, theirs.id, [own.id])).statusCode).toBe(404);
    expect((await merge(rep, own.id, [own.id])).statusCode).toBe(422);
    expect(names([...(await list(rep)), ...(await list(stranger))])).toEqual(["Eve", "Far"]);
  });
});

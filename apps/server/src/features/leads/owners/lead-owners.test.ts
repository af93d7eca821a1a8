import type { Lead } from "@leadline/contract/leads";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { leavePastCalls } from "../../../testing/past-calls.ts";
import { joinOrganisation, makeOrganisation, registerPerson, testApp } from "../../../testing/test-app.ts";
import { upsertLeads } from "../sync/upsert-leads.ts";

const app = testApp();

async function newRep() {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  return { ...person, organisationId };
}
type Rep = Awaited<ReturnType<typeof newRep>>;

async function addLead(rep: Rep, fields: object = {}): Promise<Lead> {
  const bob = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
  return (await app.ask("POST", "/v1/leads", { token: rep.token, body: { ...bob, ...fields } })).json();
}
const change = (rep: Rep, lead: Lead, body: object) =>
  app.ask("PUT", `/v1/leads/${lead.id}`, { token: rep.token, body });
const read = async (rep: Rep, { id }: Lead): Promise<Lead> =>
  (await app.ask("GET", `/v1/leads/${id}`, { token: rep.token })).json();
const list = async (rep: Rep, query: string): Promise<Lead[]> =>
  (await app.ask("GET", `/v1/leads?${query}`, { token: rep.token })).json();
const lastNames = async (rep: Rep, query: string): Promise<string[]> =>
  (await list(rep, query)).map(({ lastName }) => lastName);

describe("an owner", () => {
  test("is a member of the organisation, and nobody else", async () => {
    const [rep, stranger] = [await newRep(), await newRep()];
    const mate = await registerPerson(app);
    await joinOrganisation(app, mate, { organisationId: rep.organisationId, role: "member" });
    const lead = await addLead(rep, { ownerId: mate.id });
    expect(lead.owner).toEqual({ userId: mate.id, name: "Robin Tester" });
    const refused = await change(rep, lead, { ownerId: stranger.id });
    expect(refused.json().errors).toEqual([{ field: "ownerId", message: "Choose a member of your organisation." }]);
    expect((await change(rep, lead, { ownerId: null })).json().owner).toBeNull();
    await change(rep, lead, { ownerId: mate.id });
    await app.ask("DELETE", `/v1/members/${mate.id}`, { token: rep.token });
    expect((await read(rep, lead)).owner).toEqual({ userId: mate.id, name: "Former member" });
  });

  test("is never made of an analyst, and someone who becomes one keeps their leads", async () => {
    const rep = await newRep();
    const mate = await registerPerson(app);
    await joinOrganisation(app, mate, { organisationId: rep.organisationId, role: "member" });
    const lead = await addLead(rep, { ownerId: mate.id });
    await app.ask("PUT", `/v1/members/${mate.id}`, { token: rep.token, body: { role: "analyst" } });
    const errors = [{ field: "ownerId", message: "Analysts can’t own leads. Choose another member." }];
    const { token } = rep;
    const fields = { firstName: "Eve", lastName: "Rook", email: "eve@rook.example", phone: "+12025550101" };
    const created = await app.ask("POST", "/v1/leads", { token, body: { ...fields, ownerId: mate.id } });
    const action = { kind: "owner", ownerId: mate.id };
    const changed = await app.ask("POST", "/v1/lead-changes", { token, body: { ids: [lead.id], action } });
    for (const refused of [created, changed, await change(rep, lead, { ownerId: mate.id })])
      expect([refused.statusCode, refused.json().errors]).toEqual([422, errors]);
    expect((await change(rep, lead, { nextStep: "Send a quote" })).json().owner.userId).toBe(mate.id);
    const filter = { owner: mate.id };
    const view = await app.ask("POST", "/v1/lead-views", { token, body: { name: "Mate", filter } });
    expect(view.statusCode).toBe(201);
  });

  test("in a CRM becomes the member with that email, or a name; the team's own choice stays until the CRM names another", async () => {
    const rep = await newRep();
    const key = { organisationId: rep.organisationId, integrationId: crypto.randomUUID() };
    const sync = async (owner: { name: string; email: string } | null) => {
      const bob = { externalId: "1", firstName: "Bob", lastName: "Stone", email: "", phone: "", owner };
      await app.database.withTransaction(key, (tx) =>
        upsertLeads(tx, { ...key, leads: [bob], asOf: new Date().toISOString() }),
      );
      const [lead] = await list(rep, "");
      if (!lead) throw new Error("nothing was synced");
      return lead;
    };
    const noor = { name: "Noor Blake", email: "noor@elsewhere.example" };
    const lead = await sync(noor);
    expect(lead.owner).toEqual({ userId: null, name: "Noor Blake" });
    expect((await sync({ name: "Robin", email: rep.email.toUpperCase() })).owner?.userId).toBe(rep.id);
    expect((await change(rep, lead, { ownerId: null })).json().owner).toBeNull();
    expect((await sync({ name: "Robin", email: rep.email.toUpperCase() })).owner).toBeNull();
    expect((await sync(noor)).owner).toEqual({ userId: null, name: "Noor Blake" });
    expect((await sync(null)).owner).toBeNull();
  });

  test("chosen by the team stays when a sync changes other fields of the lead", async () => {
    const rep = await newRep();
    const key = { organisationId: rep.organisationId, integrationId: crypto.randomUUID() };
    const sync = async (company: string) => {
      const owner = { name: "Noor Blake", email: "noor@elsewhere.example" };
      const bob = { externalId: "1", firstName: "Bob", lastName: "Stone", email: "", phone: "", company, owner };
      await app.database.withTransaction(key, (tx) =>
        upsertLeads(tx, { ...key, leads: [bob], asOf: new Date().toISOString() }),
      );
      return (await list(rep, ""))[0];
    };
    const lead = await sync("Alder");
    if (!lead) throw new Error("nothing was synced");
    await change(rep, lead, { ownerId: rep.id });
    expect(await sync("Birch")).toMatchObject({ company: "Birch", owner: { userId: rep.id } });
  });

  test("in a CRM who joins later gets their leads then, except those the team has reassigned", async () => {
    const [rep, joiner] = [await newRep(), await registerPerson(app)];
    const key = { organisationId: rep.organisationId, integrationId: crypto.randomUUID() };
    const owner = { name: "Noor Blake", email: joiner.email.toUpperCase() };
    const other = { name: "Ada Ames", email: `x${joiner.email}` };
    const names = ["Ann", "Bob", "Cy"];
    const leads = names.map((lastName) => {
      const lead = { externalId: lastName, firstName: "B", lastName, email: "", phone: "" };
      return { ...lead, owner: lastName === "Cy" ? other : owner };
    });
    await app.database.withTransaction(key, (tx) => upsertLeads(tx, { ...key, leads, asOf: new Date().toISOString() }));
    const [, bob] = await list(rep, "sort=oldest");
    if (!bob) throw new Error("nothing was synced");
    await change(rep, bob, { ownerId: rep.id });
    const body = { email: joiner.email, role: "member" };
    await app.ask("POST", "/v1/invitations", { token: rep.token, body });
    const { token } = await app.mailTo(joiner.email);
    expect((await app.ask("POST", "/v1/invitations/accept", { token: joiner.token, body: { token } })).statusCode).toBe(
      200,
    );
    const owners = async () => (await list(rep, "sort=oldest")).map((lead) => lead.owner);
    await vi.waitFor(async () =>
      expect(await owners()).toEqual([
        { userId: joiner.id, name: "Robin Tester" },
        { userId: rep.id, name: "Robin Tester" },
        { userId: null, name: "Ada Ames" },
      ]),
    );
  });
});

describe("the last call", () => {
  const at = "2026-01-14T10:00:00Z";
  const later = "2026-01-15T10:00:00Z";

  test("is the call's lead's, or its number's if the call has no lead", async () => {
    const rep = await newRep();
    const [bob, eve] = [await addLead(rep), await addLead(rep, { lastName: "Rook" })];
    expect(bob.lastCalledAt).toBeNull();
    await leavePastCalls(app, rep, [{ at, phoneNumber: "+12025550100" }]);
    expect(Date.parse((await read(rep, eve)).lastCalledAt ?? "")).toBe(Date.parse(at));
    await leavePastCalls(app, rep, [{ at: later, phoneNumber: "+12025550100", leadId: bob.id }]);
    expect(Date.parse((await read(rep, bob)).lastCalledAt ?? "")).toBe(Date.parse(later));
    expect(Date.parse((await read(rep, eve)).lastCalledAt ?? "")).toBe(Date.parse(at));
  });

  test("is recorded when a call ends, not before", async () => {
    const rep = await newRep();
    const bob = await addLead(rep);
    const callSid = `CA${randomUUID().replaceAll("-", "")}`;
    const inScope = (statement: ReturnType<typeof sql>) =>
      app.database.withTransaction({ organisationId: rep.organisationId }, (tx) => statement.execute(tx));
    await inScope(sql`
      insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed, carrier,
        process_key, line, created_at)
      values (${callSid}, ${rep.organisationId}, ${rep.id}, 'outbound', 'ringing', '+12025550100', '', 'sandbox', 0, 1, ${at})`);
    expect((await read(rep, bob)).lastCalledAt).toBeNull();
    await inScope(sql`
      update calls set status = 'completed', ended_at = clock_timestamp(), reason = 'hung-up-here'
      where call_sid = ${callSid}`);
    expect(Date.parse((await read(rep, bob)).lastCalledAt ?? "")).toBe(Date.parse(at));
  });

  test("is found for a lead that is added later, and updated with a new number", async () => {
    const rep = await newRep();
    await leavePastCalls(app, rep, [{ at, phoneNumber: "+12025550100" }]);
    const bob = await addLead(rep);
    expect(Date.parse((await read(rep, bob)).lastCalledAt ?? "")).toBe(Date.parse(at));
    await change(rep, bob, { phone: "+12025550111" });
    expect((await read(rep, bob)).lastCalledAt).toBeNull();
  });
});

describe("the list", () => {
  test("is filtered by owner, last call and day to call back, together with a search, and counted", async () => {
    const rep = await newRep();
    const now = Date.now();
    const [today, tomorrow] = [0, 1].map((days) => new Date(now + days * 86_400_000).toISOString().slice(0, 10));
    const colleague = await registerPerson(app);
    await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
    const theirs = { followUpOwnerId: colleague.id, followUpTime: "08:00" };
    await addLead(rep, { lastName: "Mine", ownerId: rep.id, phone: "+12025550101", followUpOn: tomorrow, ...theirs });
    await addLead(rep, { lastName: "Recent", phone: "+12025550102", followUpOn: today });
    await addLead(rep, { lastName: "Old", phone: "+12025550103" });
    const call = (days: number, phoneNumber: string) => ({
      at: new Date(now - days * 86_400_000).toISOString(),
      phoneNumber,
    });
    await leavePastCalls(app, rep, [call(2, "+12025550102"), call(20, "+12025550103")]);
    expect(await lastNames(rep, "owner=me")).toEqual(["Mine"]);
    expect(await lastNames(rep, `owner=${rep.id}&search=mine`)).toEqual(["Mine"]);
    expect(await lastNames(rep, "owner=none")).toEqual(["Old", "Recent"]);
    expect(await lastNames(rep, "called=never")).toEqual(["Mine"]);
    expect(await lastNames(rep, "called=last-7-days")).toEqual(["Recent"]);
    expect(await lastNames(rep, "called=not-7-days&sort=lastCall")).toEqual(["Mine", "Old"]);
    expect(await lastNames(rep, "called=not-30-days")).toEqual(["Mine"]);
    expect(await lastNames(rep, "due=today")).toEqual(["Recent"]);
    expect(await lastNames(rep, "due=next-7-days&sort=followUp")).toEqual(["Recent", "Mine"]);
    expect(await lastNames(rep, "due=overdue")).toEqual([]);
    expect(await lastNames(rep, "due=any&followUpOwner=me")).toEqual(["Recent"]);
    expect(await lastNames(rep, `followUpOwner=${colleague.id}`)).toEqual(["Mine"]);
    const counted = await app.ask("GET", "/v1/leads/count?owner=none&called=last-7-days", { token: rep.token });
    expect(counted.json()).toEqual({ count: 1, more: false });
    expect((await app.ask("GET", "/v1/leads?owner=anyone", { token: rep.token })).statusCode).toBe(422);
  });

  test("is sorted by each column in both directions, page by page, without gaps or duplicates", async () => {
    const rep = await newRep();
    const phones = ["+12025550100", "(202) 555-0104", "+12025550102", "ask at reception"];
    for (const [index, lastName] of ["Cole", "Ames", "Bell", "Ames"].entries()) {
      const phone = phones[index];
      const followUpTime = ["15:00", "09:00", null, null][index];
      const day = index === 2 ? {} : { followUpOn: index === 3 ? "2126-01-02" : "2126-01-05", followUpTime };
      await addLead(rep, {
        lastName,
        phone,
        company: `Firm ${4 - index}`,
        jobTitle: ["buyer", "", "Agent", "Buyer"][index],
        email: `${["d", "B", "c", "a"][index]}@stone.example`,
        status: "Working",
        nextStep: String(index),
        ...day,
      });
    }
    await leavePastCalls(app, rep, [
      { at: "2026-01-15T10:00:00.25Z", phoneNumber: "+12025550100" },
      { at: "2026-01-14T10:00:00Z", phoneNumber: "+12025550102" },
    ]);
    const sorted = async (sort: string) => {
      let query = `sort=${sort}&limit=1`;
      const steps: string[] = [];
      for (let page = 0; page < 5; page += 1) {
        const answer = await app.ask("GET", `/v1/leads?${query}`, { token: rep.token });
        expect(answer.statusCode).toBe(200);
        steps.push(...answer.json().map(({ nextStep }: Lead) => nextStep));
        const next = /\?([^>]+)>/.exec(String(answer.headers["link"] ?? ""))?.[1];
        if (next === undefined) return steps.join("");
        query = next;
      }
      throw new Error("more pages than leads");
    };
    expect(await sorted("name")).toBe("1320");
    expect(await sorted("-name")).toBe("0231");
    expect(await sorted("company")).toBe("3210");
    expect(await sorted("-company")).toBe("0123");
    expect(await sorted("jobTitle")).toBe("1203");
    expect(await sorted("-jobTitle")).toBe("3021");
    expect(await sorted("email")).toBe("3120");
    expect(await sorted("-email")).toBe("0213");
    expect(await sorted("phone")).toBe("0213");
    expect(await sorted("-phone")).toBe("3120");
    expect(await sorted("nextStep")).toBe("0123");
    expect(await sorted("-nextStep")).toBe("3210");
    expect(await sorted("status")).toBe("0123");
    expect(await sorted("-status")).toBe("3210");
    expect(await sorted("-lastCall")).toBe("0231");
    expect(await sorted("lastCall")).toBe("1320");
    expect(await sorted("followUp")).toBe("3102");
  });
});

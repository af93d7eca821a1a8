import { randomUUID } from "node:crypto";
import type { Lead } from "@leadline/contract/leads";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  type TestApp,
  type TestPerson,
} from "../../testing/test-app.ts";

const app = testApp();

const bob = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "(202) 555-0100" };

async function newRep(on: TestApp) {
  const person = await registerPerson(on);
  const { id: organisationId } = await makeOrganisation(on, person);
  return { ...person, organisationId };
}
async function addLead(rep: TestPerson, fields: Partial<Lead> = {}): Promise<Lead> {
  const added = await app.ask("POST", "/v1/leads", { token: rep.token, body: { ...bob, ...fields } });
  expect(added.statusCode).toBe(201);
  return added.json();
}
const list = async (rep: TestPerson, query = ""): Promise<Lead[]> => {
  const answer = await app.ask("GET", `/v1/leads?${query}`, { token: rep.token });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
const names = (leads: readonly Lead[]): string[] => leads.map((lead) => lead.firstName);

describe("a lead", () => {
  test("is created as New, with its number as typed and in E.164, and is in the list, a plain array", async () => {
    const rep = await newRep(app);
    expect(await list(rep)).toEqual([]);
    const lead = await addLead(rep);
    expect(lead).toMatchObject({ ...bob, phoneNumber: "+12025550100", status: "New", followUpOn: null });
    expect(await list(rep)).toEqual([lead]);
    expect((await app.ask("GET", `/v1/leads/${lead.id}`, { token: rep.token })).json()).toEqual(lead);
  });

  test("has its number read with the organisation's default country", async () => {
    const rep = await newRep(app);
    await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      tx.updateTable("organisations").set({ default_country: "DE" }).where("id", "=", rep.organisationId).execute(),
    );
    expect(await addLead(rep, { phone: "030 901820" })).toMatchObject({
      phone: "030 901820",
      phoneNumber: "+4930901820",
    });
    expect(await addLead(rep, { phone: "not a number" })).toMatchObject({ phone: "not a number", phoneNumber: null });
  });

  test("that is too short is refused with a message for each field", async () => {
    const rep = await newRep(app);
    const body = { firstName: "B ", lastName: "S", email: "a@b.c", phone: "1234567" };
    const refused = await app.ask("POST", "/v1/leads", { token: rep.token, body });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors).toEqual([
      { field: "firstName", message: "First name must be at least 2 characters." },
      { field: "lastName", message: "Last name must be at least 2 characters." },
      { field: "email", message: "Email must be at least 6 characters." },
      { field: "phone", message: "Phone must be at least 8 characters." },
    ]);
    expect(await list(rep)).toEqual([]);
  });

  test("belongs to its author's organisation, whatever the body says", async () => {
    const [rep, stranger] = [await newRep(app), await newRep(app)];
    const body = { ...bob, organisationId: stranger.organisationId, organisation_id: stranger.organisationId };
    await app.ask("POST", "/v1/leads", { token: rep.token, body });
    expect(await list(stranger)).toEqual([]);
    expect(await list(rep)).toHaveLength(1);
  });

  test("keeps fields that a change omits, and reads a new number again", async () => {
    const rep = await newRep(app);
    const lead = await addLead(rep);
    const job = { company: "Alder & Finch", jobTitle: "Buyer" };
    const change = { status: "Working", followUpOn: "2126-12-01", phone: "+44 20 7946 0000", ...job };
    const changed = await app.ask("PUT", `/v1/leads/${lead.id}`, { token: rep.token, body: change });
    expect(changed.json()).toEqual({
      ...lead,
      ...change,
      followUpOwner: { userId: rep.id, name: "Robin Tester" },
      phoneNumber: "+442079460000",
      updatedAt: changed.json().updatedAt,
    });
    const cleared = await app.ask("PUT", `/v1/leads/${lead.id}`, { token: rep.token, body: { followUpOn: null } });
    expect(cleared.json()).toMatchObject({ followUpOn: null, status: "Working", ...job });
    const wrong = await app.ask("PUT", `/v1/leads/${lead.id}`, { token: rep.token, body: { followUpOn: "tomorrow" } });
    expect(wrong.statusCode).toBe(422);
  });

  test("is deleted once, with its notes", async () => {
    const rep = await newRep(app);
    const lead = await addLead(rep);
    await app.ask("POST", `/v1/leads/${lead.id}/notes`, { token: rep.token, body: { text: "Called." } });
    expect((await app.ask("DELETE", `/v1/leads/${lead.id}`, { token: rep.token })).statusCode).toBe(204);
    expect((await app.ask("DELETE", `/v1/leads/${lead.id}`, { token: rep.token })).statusCode).toBe(404);
    expect((await app.ask("GET", `/v1/leads/${lead.id}`, { token: rep.token })).statusCode).toBe(404);
    const scope = { organisationId: rep.organisationId };
    expect(
      await app.database.withTransaction(scope, (tx) => tx.selectFrom("lead_notes").select("id").execute()),
    ).toEqual([]);
  });

  test("of another organisation can't be read, changed, noted or deleted", async () => {
    const [rep, stranger] = [await newRep(app), await newRep(app)];
    const lead = await addLead(rep);
    const answers = [
      await app.ask("GET", `/v1/leads/${lead.id}`, { token: stranger.token }),
      await app.ask("PUT", `/v1/leads/${lead.id}`, { token: stranger.token, body: { firstName: "Taken" } }),
      await app.ask("DELETE", `/v1/leads/${lead.id}`, { token: stranger.token }),
      await app.ask("GET", `/v1/leads/${lead.id}/notes`, { token: stranger.token }),
      await app.ask("POST", `/v1/leads/${lead.id}/notes`, { token: stranger.token, body: { text: "Taken" } }),
    ];
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404, 404]);
    expect(await list(rep)).toEqual([lead]);
    for (const query of ["", "search=bob", "phoneNumber=%2B12025550100"])
      expect(await list(stranger, query)).toEqual([]);
  });

  test("an unknown lead is not found", async () => {
    const rep = await newRep(app);
    expect((await app.ask("GET", `/v1/leads/${randomUUID()}`, { token: rep.token })).json().detail).toBe(
      "Lead not found.",
    );
    expect((await app.ask("GET", `/v1/leads/${randomUUID()}/notes`, { token: rep.token })).statusCode).toBe(404);
  });
});

describe("notes", () => {
  test("are listed newest first with their authors, and an empty one is refused", async () => {
    const rep = await newRep(app);
    const colleague = await registerPerson(app);
    await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
    const { id } = await addLead(rep);
    const first = await app.ask("POST", `/v1/leads/${id}/notes`, {
      token: rep.token,
      body: { text: " Asked for a quote. " },
    });
    expect(first.json()).toMatchObject({ text: "Asked for a quote.", userId: rep.id, userName: "Robin Tester" });
    await app.ask("POST", `/v1/leads/${id}/notes`, { token: colleague.token, body: { text: "Sent it." } });
    const notes = await app.ask("GET", `/v1/leads/${id}/notes`, { token: rep.token });
    expect(notes.json().map((note: { text: string }) => note.text)).toEqual(["Sent it.", "Asked for a quote."]);
    const empty = await app.ask("POST", `/v1/leads/${id}/notes`, { token: rep.token, body: { text: "  " } });
    expect(empty.json().detail).toBe("Enter a note.");
  });

  test("can be deleted by their author or an admin, and nobody else", async () => {
    const [owner, stranger] = [await newRep(app), await newRep(app)];
    const [author, other] = [await registerPerson(app), await registerPerson(app)];
    for (const person of [author, other])
      await joinOrganisation(app, person, { organisationId: owner.organisationId, role: "member" });
    const path = `/v1/leads/${(await addLead(owner)).id}/notes` as const;
    const write = async (text: string): Promise<string> =>
      (await app.ask("POST", path, { token: author.token, body: { text } })).json().id;
    const [first, second] = [await write("First"), await write("Second")];
    const remove = (by: TestPerson, id: string) => app.ask("DELETE", `/v1/lead-notes/${id}`, { token: by.token });
    const refused = await remove(other, first);
    expect(refused.json()).toMatchObject({
      status: 403,
      detail: "Only the author of a note, or an admin, can delete it.",
    });
    expect((await remove(stranger, first)).statusCode).toBe(404);
    expect((await remove(author, first)).statusCode).toBe(204);
    expect((await app.ask("GET", path, { token: other.token })).json()).toMatchObject([{ id: second }]);
    expect((await remove(owner, second)).statusCode).toBe(204);
    expect((await remove(owner, second)).statusCode).toBe(404);
  });
});

describe("the list", () => {
  let rep: Awaited<ReturnType<typeof newRep>>;
  beforeAll(async () => {
    rep = await newRep(app);
    await addLead(rep, { firstName: "Bob", lastName: "Stone", status: "Working" });
    await addLead(rep, { firstName: "Eve", lastName: "Adams", email: "eve@adams.example", phone: "+49 30 901820" });
    await addLead(rep, { firstName: "Zoë", lastName: "Stone", email: "zoe_100%@x.example", phone: "202.555.0199" });
    await addLead(rep, { firstName: "Al", lastName: "Brown", email: "al@brown.example", status: "Working" });
  });

  test("sorts by newest, oldest, name and status", async () => {
    expect(names(await list(rep))).toEqual(["Al", "Zoë", "Eve", "Bob"]);
    expect(names(await list(rep, "sort=oldest"))).toEqual(["Bob", "Eve", "Zoë", "Al"]);
    expect(names(await list(rep, "sort=name"))).toEqual(["Eve", "Al", "Bob", "Zoë"]);
    expect(names(await list(rep, "sort=status"))).toEqual(["Eve", "Zoë", "Bob", "Al"]);
    expect((await app.ask("GET", "/v1/leads?sort=shoe-size", { token: rep.token })).statusCode).toBe(422);
  });

  test("can be counted, optionally by status, without other organisations' leads", async () => {
    const count = async (query: string, token = rep.token) =>
      (await app.ask("GET", `/v1/leads/count?${query}`, { token })).json();
    expect(await count("")).toEqual({ count: 4, more: false });
    expect(await count("status=Working")).toEqual({ count: 2, more: false });
    expect(await count("status=Qualified")).toEqual({ count: 0, more: false });
    expect(await count("", (await newRep(app)).token)).toEqual({ count: 0, more: false });
  });

  test("is counted up to ten thousand", async () => {
    const many = await newRep(app);
    const scope = { organisationId: many.organisationId };
    const leads = (from: number, to: number) =>
      app.database.withTransaction(scope, (tx) =>
        sql`
          insert into leads (id, organisation_id, first_name, last_name, email, phone)
          select gen_random_uuid(), ${many.organisationId}, 'Ann', 'Lo', 'ann@lo.example', '+1202555' || n
          from generate_series(${from}::int, ${to}::int) as n`.execute(tx),
      );
    const count = async () => (await app.ask("GET", "/v1/leads/count", { token: many.token })).json();
    await leads(1, 10_000);
    expect(await count()).toEqual({ count: 10_000, more: false });
    await leads(10_001, 10_001);
    expect(await count()).toEqual({ count: 10_000, more: true });
  });

  test("links to the next page in every order, with or without a search, until the last", async () => {
    for (const sort of ["newest", "oldest", "name", "status"]) {
      for (const search of ["", "&search=example"]) {
        const whole = names(await list(rep, `sort=${sort}${search}`));
        expect(whole).toHaveLength(4);
        const seen: string[] = [];
        let next: string | undefined = `/v1/leads?limit=1&sort=${sort}${search}`;
        while (next !== undefined) {
          const page = await app.ask("GET", next, { token: rep.token });
          seen.push(...names(page.json()));
          next = /<\/api([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ""))?.[1];
        }
        expect(seen).toEqual(whole);
      }
    }
  });

  test("refuses an invalid cursor", async () => {
    for (const after of ["nonsense", "W10", Buffer.from('["1; drop table leads","",1]').toString("base64url")]) {
      const refused = await app.ask("GET", `/v1/leads?after=${after}`, { token: rep.token });
      expect(refused.statusCode).toBe(422);
    }
  });

  test("filters by status", async () => {
    expect(names(await list(rep, "status=Working"))).toEqual(["Al", "Bob"]);
    expect(names(await list(rep, "status=Working&search=stone"))).toEqual(["Bob"]);
    expect(await list(rep, "status=Qualified")).toEqual([]);
  });

  test.each([
    ["st", ["Zoë", "Bob"]],
    ["zo", ["Zoë"]],
    ["ZOË", ["Zoë"]],
    ["zoe", ["Zoë"]],
    ["🚀", ["Al", "Zoë", "Eve", "Bob"]],
    ["🚀🚀", []],
    ["tone", ["Zoë", "Bob"]],
    ["stone bob", ["Bob"]],
    ["bob@stone.ex", ["Bob"]],
    ["202555", ["Al", "Zoë", "Bob"]],
    ["+1 202 555 0199", ["Zoë"]],
    ["(202) 555-0100", ["Al", "Bob"]],
    ["030 901", ["Eve"]],
    ["+49 30 90", ["Eve"]],
    ["100%", ["Zoë"]],
    ["_", ["Al", "Zoë", "Eve", "Bob"]],
    ["b_b", []],
    ["e_1", ["Zoë"]],
    ["\\", ["Al", "Zoë", "Eve", "Bob"]],
    ["'; drop table leads; --", []],
    ["nobody", []],
  ])("searched for %s finds %j", async (search, found) => {
    expect(names(await list(rep, `search=${encodeURIComponent(search)}`))).toEqual(found);
  });

  test.each([
    ["sto", ["Zoë", "Bob"]],
    ["tone", []],
    ["bob sto", ["Bob"]],
    ["stone.ex", []],
    ["202555", ["Al", "Zoë", "Bob"]],
  ])("searched for %s at the beginning of words finds %j", async (search, found) => {
    expect(names(await list(rep, `match=beginning&search=${encodeURIComponent(search)}`))).toEqual(found);
  });

  test.each([
    ["+12025550199", ["Zoë"]],
    ["202-555-0199", ["Zoë"]],
    ["(202) 555 0100", ["Al", "Bob"]],
    ["+49 (30) 901820", ["Eve"]],
    ["nonsense", []],
  ])("finds every lead with the number %s, in any spelling, and creates none", async (phoneNumber, found) => {
    expect(names(await list(rep, `phoneNumber=${encodeURIComponent(phoneNumber)}`))).toEqual(found);
    expect(await list(rep)).toHaveLength(4);
  });
});

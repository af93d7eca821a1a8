import type { ImportDuplicate, LeadImport } from "@leadline/contract/lead-imports";
import { expect, test, vi } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../../testing/test-app.ts";

const app = testApp();
const header = "Name,Phone,Email";
const mapping = { lastName: 0, phone: 1, email: 2 };

async function newRep(): Promise<TestPerson> {
  const person = await registerPerson(app);
  await makeOrganisation(app, person);
  return person;
}
async function importCsv(rep: TestPerson, rows: readonly string[], how: object = {}): Promise<LeadImport> {
  const form = new FormData();
  form.append("file[]", new File([[header, ...rows].join("\n")], "fair.csv"));
  const { id } = (await app.ask("POST", "/v1/lead-imports", { token: rep.token, form })).json();
  const body = { mapping, ...how };
  expect((await app.ask("POST", `/v1/lead-imports/${id}/start`, { token: rep.token, body })).statusCode).toBe(200);
  return vi.waitFor(async () => {
    const state = (await app.ask("GET", `/v1/lead-imports/${id}`, { token: rep.token })).json();
    expect(state.state).toBe("completed");
    return state;
  });
}
const duplicatesOf = async (rep: TestPerson, id: string): Promise<ImportDuplicate[]> =>
  (await app.ask("GET", `/v1/lead-imports/${id}/duplicates`, { token: rep.token })).json();
const addBob = async (rep: TestPerson): Promise<string> => {
  const body = { firstName: "Bob", lastName: "Stone", email: "bob@x.example", phone: "(202) 555-0100" };
  return (await app.ask("POST", "/v1/leads", { token: rep.token, body })).json().id;
};

test("understands and imports a file with only names and phone numbers", async () => {
  const rep = await newRep();
  const form = new FormData();
  form.append("file[]", new File(["Name,Phone\nAnn Lo,+12025550111"], "two.csv"));
  const prepared: LeadImport = (await app.ask("POST", "/v1/lead-imports", { token: rep.token, form })).json();
  expect(prepared.suggestedMapping).toEqual({ lastName: 0, phone: 1 });
  const body = { mapping: prepared.suggestedMapping };
  await app.ask("POST", `/v1/lead-imports/${prepared.id}/start`, { token: rep.token, body });
  await vi.waitFor(async () =>
    expect((await app.ask("GET", "/v1/leads", { token: rep.token })).json()).toMatchObject([
      { firstName: "", lastName: "Ann Lo", email: "", phoneNumber: "+12025550111" },
    ]),
  );
});

test("lists each duplicate with its row, its match, and that it was left out", async () => {
  const [rep, stranger] = [await newRep(), await newRep()];
  const bob = await addBob(rep);
  const rows = ["Robert,+12025550100,", "Ann,+12025550101,", "", "Anna,(202) 555-0101,", "Eve,,eve@x.example"];
  const first = await importCsv(rep, rows);
  expect(first).toMatchObject({ created: 2, skipped: 2, duplicates: 2, failed: 0 });
  expect(await duplicatesOf(rep, first.id)).toEqual([
    {
      row: 2,
      name: "Robert",
      matchedBy: "phone-number",
      lead: { id: bob, firstName: "Bob", lastName: "Stone" },
      earlierRow: null,
      done: "left-out",
    },
    { row: 5, name: "Anna", matchedBy: "phone-number", lead: null, earlierRow: 3, done: "left-out" },
  ]);
  const again = await importCsv(rep, ["Eve,,eve@x.example"]);
  expect(await duplicatesOf(rep, again.id)).toMatchObject([
    { row: 2, name: "Eve", matchedBy: "details", lead: { lastName: "Eve" }, done: "left-out" },
  ]);
  expect((await app.ask("GET", `/v1/lead-imports/${first.id}/duplicates`, { token: stranger.token })).statusCode).toBe(
    404,
  );
});

test("lists an imported duplicate as such, and no longer names a lead deleted since", async () => {
  const rep = await newRep();
  const bob = await addBob(rep);
  const taken = await importCsv(rep, ["Robert,+12025550100,"], { skipKnownNumbers: false });
  expect(taken).toMatchObject({ created: 1, skipped: 0, duplicates: 1 });
  expect(await duplicatesOf(rep, taken.id)).toMatchObject([{ row: 2, lead: { id: bob }, done: "imported" }]);
  await app.ask("DELETE", `/v1/leads/${bob}`, { token: rep.token });
  expect(await duplicatesOf(rep, taken.id)).toMatchObject([{ row: 2, lead: null, earlierRow: null, done: "imported" }]);
});

test("a row that repeats one of an earlier step names the lead that the earlier row became", async () => {
  const rep = await newRep();
  const rows = Array.from({ length: 1_500 }, (_, index) => `Ann${index},+1202555${1_000 + index},`);
  const { id } = await importCsv(rep, [...rows, "Again,+12025551000,"]);
  expect(await duplicatesOf(rep, id)).toMatchObject([{ row: 1_502, lead: { lastName: "Ann0" }, earlierRow: null }]);
});

test("exports every duplicate as CSV, with its fields and escaped formulas", async () => {
  const rep = await newRep();
  await addBob(rep);
  const rows = Array.from({ length: 1_100 }, (_, index) => `Robert${index},+12025550100,r${index}@x.example`);
  const { id } = await importCsv(rep, [...rows, "Ann,+12025550101,", "=1+1,+12025550101,"]);
  expect(await duplicatesOf(rep, id)).toHaveLength(1_000);

  const answer = await app.ask("GET", `/v1/lead-imports/${id}/duplicates/export`, { token: rep.token });
  expect(answer.headers["content-disposition"]).toContain('filename="duplicates in fair.csv.csv"');
  const lines = answer.body.trimEnd().split("\n");
  expect(lines[0]).toBe(
    '\uFEFF"Row","Matches","Result","First name","Last name","Email","Phone","Status","Call back on"',
  );
  expect(lines[1]).toBe(
    '"2","Same phone number as the lead Bob Stone","Left out","","Robert0","r0@x.example","+12025550100","",""',
  );
  expect(lines.at(-1)).toBe('"1103","Same phone number as row 1102","Left out","","\'=1+1","","+12025550101","",""');
  expect(lines).toHaveLength(1_102);

  const foreign = await newRep();
  const refused = await app.ask("GET", `/v1/lead-imports/${id}/duplicates/export`, { token: foreign.token });
  expect(refused.statusCode).toBe(404);
});

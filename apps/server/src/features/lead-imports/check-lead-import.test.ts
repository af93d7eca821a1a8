import type { LeadImportCheck } from "@leadline/contract/lead-imports";
import { expect, test, vi } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../../testing/test-app.ts";

const app = testApp();
const header = "First Name,Last Name,E-Mail,Mobile Phone,Lead Status,Call back";
const mapping = { firstName: 0, lastName: 1, email: 2, phone: 3, status: 4, followUpOn: 5 };
const row = (index: number): string => `First${index},Last${index},n${index}@example.com,+1202${5551000 + index},,`;

async function newRep() {
  const person = await registerPerson(app);
  return { ...person, organisationId: (await makeOrganisation(app, person)).id };
}
/** Uploads the rows; returns the import's id. */
async function prepare(rep: TestPerson, rows: readonly string[]): Promise<string> {
  const form = new FormData();
  form.append("file[]", new File([`${header}\n${rows.join("\n")}\n`], "leads.csv"));
  const prepared = await app.ask("POST", "/v1/lead-imports", { token: rep.token, form });
  return prepared.json().id;
}
const check = (rep: TestPerson, id: string) =>
  app.ask("POST", `/v1/lead-imports/${id}/check`, { token: rep.token, body: { mapping } });

test("shows in advance what an import will do with each row: new, known, repeated or failed", async () => {
  const [rep, stranger] = [await newRep(), await newRep()];
  const lead = { firstName: "Bob", lastName: "Stone", email: "b@x.example", phone: "(202) 555-1001" };
  await app.ask("POST", "/v1/leads", { token: rep.token, body: lead });
  const id = await prepare(rep, [
    row(1),
    row(2),
    "Same,Number,s@x.example,(202) 555-1002,,",
    "X,Y,z,1,,",
    "No,Number,n@x.example,extension 55501,,",
    "Another,Number,n@x.example,extension 55501,,",
    "No,Number,n@x.example,extension 55501,,",
  ]);
  expect((await check(rep, id)).json()).toEqual({
    totals: { new: 3, known: 1, repeated: 2, failed: 1 },
    checkedRows: 7,
    preview: ["known", "new", "repeated", "failed", "new", "new", "repeated"],
  });
  expect((await check(stranger, id)).statusCode).toBe(404);
  await app.ask("POST", `/v1/lead-imports/${id}/start`, { token: rep.token, body: { mapping } });
  await vi.waitFor(async () => {
    const imported = (await app.ask("GET", `/v1/lead-imports/${id}`, { token: rep.token })).json();
    expect(imported).toMatchObject({ state: "completed", created: 3, skipped: 3, failed: 1 });
  });
  expect((await check(rep, id)).json().type).toBe("/api/docs#import-started");
});

test("importing the same file again adds nothing, even with a phone that isn't a number, and the check reports it", async () => {
  const rep = await newRep();
  const rows = [
    "Ann,Rook,ann@x.example,020 7946 0999,,",
    "Bob,Stone,bob@x.example,extension 55501,,",
    // A different person with the same text as the phone.
    "Eve,Stone,eve@x.example,extension 55501,,",
  ];
  const importedAs = async (id: string, counts: object) => {
    await app.ask("POST", `/v1/lead-imports/${id}/start`, { token: rep.token, body: { mapping } });
    await vi.waitFor(async () => {
      const imported = (await app.ask("GET", `/v1/lead-imports/${id}`, { token: rep.token })).json();
      expect(imported).toMatchObject({ state: "completed", ...counts });
    });
  };
  await importedAs(await prepare(rep, rows), { created: 3, skipped: 0 });
  const again = await prepare(rep, rows);
  expect((await check(rep, again)).json().totals).toEqual({ new: 0, known: 3, repeated: 0, failed: 0 });
  await importedAs(again, { created: 0, skipped: 3 });
});

test("compares a file to its last row however long it is, and reports its progress", async () => {
  const rep = await newRep();
  const rows = Array.from({ length: 30_000 }, (_, index) =>
    index % 1_000 === 999 ? "X,Y,z,1,," : row(index % 20_000),
  );
  const id = await prepare(rep, rows);
  const told: LeadImportCheck[] = [];
  await vi.waitFor(async () => {
    told.push((await check(rep, id)).json());
    expect(told.at(-1)?.totals).not.toBeNull();
  });
  expect(told.at(-1)).toMatchObject({
    totals: { new: 19_980, known: 0, repeated: 9_990, failed: 30 },
    checkedRows: 30_000,
  });
  const counts = told.map(({ checkedRows }) => checkedRows);
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
});

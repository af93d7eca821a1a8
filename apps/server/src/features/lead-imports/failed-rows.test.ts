import type { ListedImport } from "@leadline/contract/lead-imports";
import { expect, test, vi } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../../testing/test-app.ts";

const app = testApp();

async function newRep(): Promise<TestPerson> {
  const person = await registerPerson(app);
  await makeOrganisation(app, person);
  return person;
}
async function importCsv(rep: TestPerson, name: string, rows: readonly string[]): Promise<string> {
  const form = new FormData();
  form.append("file[]", new File([["First name,Last name,Email,Phone", ...rows].join("\n")], name));
  const { id } = (await app.ask("POST", "/v1/lead-imports", { token: rep.token, form })).json();
  const body = { mapping: { firstName: 0, lastName: 1, email: 2, phone: 3 } };
  expect((await app.ask("POST", `/v1/lead-imports/${id}/start`, { token: rep.token, body })).statusCode).toBe(200);
  return id;
}
const list = async (rep: TestPerson): Promise<ListedImport[]> =>
  (await app.ask("GET", "/v1/lead-imports", { token: rep.token })).json();
const finished = (rep: TestPerson): Promise<ListedImport[]> =>
  vi.waitFor(async () => {
    const imports = await list(rep);
    expect(imports.map(({ state }) => state)).not.toContain("running");
    return imports;
  });

test("lists the organisation's imports with their progress, newest first, and no other organisation's", async () => {
  const [rep, stranger] = [await newRep(), await newRep()];
  expect(await list(rep)).toEqual([]);
  const first = await importCsv(rep, "first.csv", ["Bob,Stone,bob@x.example,+12025550100", "B,S,x,1"]);
  await finished(rep);
  const second = await importCsv(rep, "second.csv", ["Bob,Stone,bob@x.example,+12025550100"]);
  expect(await finished(rep)).toMatchObject([
    { id: second, fileName: "second.csv", state: "completed", rowCount: 1, created: 0, skipped: 1, failed: 0 },
    { id: first, fileName: "first.csv", state: "completed", rowCount: 2, created: 1, skipped: 0, failed: 1 },
  ]);
  expect(await list(stranger)).toEqual([]);
});

test("exports all failed rows as CSV with their reasons and cells, and escapes formulas", async () => {
  const rep = await newRep();
  const bad = Array.from(
    { length: 2_100 },
    (_, index) => `B,Stone${index},b${index}@x.example,+1202555${1000 + index}`,
  );
  const id = await importCsv(rep, "bad.csv", [...bad, '"=HYPERLINK(""x"")",;=1+1,"a,b@x.example",+1202']);
  expect(await finished(rep)).toMatchObject([{ failed: 2_101 }]);
  expect((await app.ask("GET", `/v1/lead-imports/${id}/errors`, { token: rep.token })).json()).toHaveLength(1_000);

  const answer = await app.ask("GET", `/v1/lead-imports/${id}/errors/export`, { token: rep.token });
  expect(answer.headers["content-disposition"]).toContain('filename="not imported of bad.csv.csv"');
  const lines = answer.body.trimEnd().split("\n");
  expect(lines[0]).toBe('\uFEFF"Row","Reason","First name","Last name","Email","Phone"');
  expect(lines[1]).toBe('"2","First name must be at least 2 characters.","B","Stone0","b0@x.example","+12025551000"');
  expect(lines[2_100]).toMatch(/^"2101",.*,"B","Stone2099",/);
  expect(lines[2_101]).toMatch(/^"2102",.*,"'=HYPERLINK\(""x""\)",";'=1\+1","a,b@x\.example","\+1202"$/);
  expect(lines).toHaveLength(2_102);

  const foreign = await app.ask("GET", `/v1/lead-imports/${id}/errors/export`, { token: (await newRep()).token });
  expect(foreign.statusCode).toBe(404);
});

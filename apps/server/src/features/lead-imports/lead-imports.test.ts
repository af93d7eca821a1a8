import type { LeadImport } from "@leadline/contract/lead-imports";
import type { Lead } from "@leadline/contract/leads";
import { describe, expect, test, vi } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../../testing/test-app.ts";
import { runLeadImport } from "./run-lead-import.ts";

const app = testApp();
const header = "First Name,Last Name,E-Mail,Mobile Phone,Lead Status,Call back";
const mapping = { firstName: 0, lastName: 1, email: 2, phone: 3, status: 4, followUpOn: 5 };

async function newRep() {
  const person = await registerPerson(app);
  return { ...person, organisationId: (await makeOrganisation(app, person)).id };
}
function upload(rep: TestPerson, content: string | Buffer<ArrayBuffer>, name = "leads.csv") {
  const form = new FormData();
  form.append("file[]", new File([content], name));
  return app.ask("POST", "/v1/lead-imports", { token: rep.token, form });
}
const prepare = async (rep: TestPerson, content: string | Buffer<ArrayBuffer>): Promise<LeadImport> => {
  const prepared = await upload(rep, content);
  expect(prepared.statusCode).toBe(201);
  return prepared.json();
};
const start = (rep: TestPerson, id: string, body: object = { mapping }) =>
  app.ask("POST", `/v1/lead-imports/${id}/start`, { token: rep.token, body });
const read = async (rep: TestPerson, id: string): Promise<LeadImport> =>
  (await app.ask("GET", `/v1/lead-imports/${id}`, { token: rep.token })).json();
const finish = (rep: TestPerson, id: string): Promise<LeadImport> =>
  vi.waitFor(async () => {
    const state = await read(rep, id);
    expect(["completed", "failed"]).toContain(state.state);
    return state;
  });
const leadsOf = async (rep: TestPerson): Promise<Lead[]> =>
  (await app.ask("GET", "/v1/leads?sort=oldest&limit=200", { token: rep.token })).json();
const errorsOf = async (rep: TestPerson, id: string) =>
  (await app.ask("GET", `/v1/lead-imports/${id}/errors`, { token: rep.token })).json();
const row = (index: number): string => `First${index},Last${index},n${index}@example.com,+1202555${1000 + index},,`;

describe("preparing an import", () => {
  test("returns columns, first rows, the row count and a suggested mapping, and imports nothing", async () => {
    const rep = await newRep();
    const prepared = await prepare(
      rep,
      `${header}\nBob,Stone,bob@x.example,(202) 555-0100,Working,2026-12-01\n\nEve,Adams,e@x.example,+4930901820,,\n`,
    );
    expect(prepared).toMatchObject({
      fileName: "leads.csv",
      state: "draft",
      columns: ["First Name", "Last Name", "E-Mail", "Mobile Phone", "Lead Status", "Call back"],
      suggestedMapping: mapping,
      rowCount: 2,
    });
    expect(prepared.preview[1]).toEqual(["Eve", "Adams", "e@x.example", "+4930901820", "", ""]);
    expect(await leadsOf(rep)).toEqual([]);
  });

  test.each<[string, string | Buffer<ArrayBuffer>, RegExp]>([
    ["nothing", "", /first row must contain the column names/],
    ["only the first row", header, /no rows after the column names/],
    ["one column", "Name\nBob", /needs at least a name column, and a phone or email column/],
    [
      "a quote that is never closed",
      `${header}\nAnn,Lo,a@x.example,+12025550100,,\n"Bob,Stone,b@x.example,1,,\n`,
      /quotation mark in row 3 is never closed/,
    ],
    ["what is not text", Buffer.from(`PK\x03\x04\x14${"\x06\x00\x08\x00,\n".repeat(40)}`, "latin1"), /a text file/],
    ["too many rows", `a,b,c,d\n${"1,2,3,4\n".repeat(100_001)}`, /more than 100,000 rows/],
  ])("refuses a file with %s, with a message", async (_, content, why) => {
    const refused = await upload(await newRep(), content);
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail).toMatch(why);
  });

  test.each<[string, Buffer<ArrayBuffer>]>([
    [
      "Windows-1252 with semicolons",
      Buffer.from("First Name;Last Name;Email;Phone\r\nZoë;Müller;z@x.example;+4930901820\r\n", "latin1"),
    ],
    [
      "UTF-16 with tabs",
      Buffer.from("\ufeffFirst Name\tLast Name\tEmail\tPhone\r\nZoë\tMüller\tz@x.example\t+4930901820\r\n", "utf16le"),
    ],
    [
      "UTF-8 with a byte-order mark, quotes and line breaks",
      Buffer.from(
        '\ufeff"First Name","Last Name",Email,Phone,Remark\r"Zoë","Müller",z@x.example,+4930901820,"a, ""b""\r\nc"\r',
      ),
    ],
  ])("reads %s", async (_, content) => {
    const rep = await newRep();
    const prepared = await prepare(rep, content);
    await start(rep, prepared.id, { mapping: prepared.suggestedMapping });
    expect(await finish(rep, prepared.id)).toMatchObject({ created: 1, failed: 0 });
    expect(await leadsOf(rep)).toMatchObject([{ firstName: "Zoë", lastName: "Müller", phoneNumber: "+4930901820" }]);
  });
});

describe("an import", () => {
  test("makes leads of valid rows and reports each invalid one by its row in the file", async () => {
    const rep = await newRep();
    const content = [
      header,
      "Bob,Stone,bob@x.example,(202) 555-0100,working,2026-12-01",
      "",
      "B,Stone,bob@x.example,(202) 555-0111,,",
      "Eve,Adams,eve@x.example,'+1 202 555 0112,Hot,",
      "Uma,Quartz,uma@x.example,'+1 202 555 0113,,tomorrow",
      "Ann,Rook,ann@x.example,'+1 202 555 0114",
      "X,Y,x@y,1,Hot,tomorrow",
      "Zoe,Lane,nomail,call me at 5,,",
    ].join("\n");
    const { id } = await prepare(rep, content);
    expect((await start(rep, id)).json()).toMatchObject({ id, state: "running" });
    expect(await finish(rep, id)).toMatchObject({ state: "completed", rowCount: 7, created: 2, skipped: 0, failed: 5 });
    expect(await errorsOf(rep, id)).toEqual([
      { row: 4, message: "First name must be at least 2 characters." },
      { row: 5, message: "Status must be one of New, Working, Nurturing, Qualified, Unqualified, not “Hot”." },
      { row: 6, message: "Enter the day as YYYY-MM-DD." },
      // All errors at once, so that nobody has to correct a row four times.
      {
        row: 8,
        message: expect.stringMatching(/^First name .+ Last name .+ Email .+ Phone .+ the day .+ Status must/),
      },
      { row: 9, message: "“nomail” isn’t an email address. “call me at 5” isn’t a phone number." },
    ]);
    expect(await leadsOf(rep)).toMatchObject([
      { firstName: "Bob", status: "Working", followUpOn: "2026-12-01", phoneNumber: "+12025550100" },
      { firstName: "Ann", phone: "+1 202 555 0114", status: "New" },
    ]);
    expect((await start(rep, id)).json().type).toBe("/api/docs#import-started");
  });

  test("skips rows whose number a lead or an earlier row has, unless told to import them", async () => {
    const rep = await newRep();
    const content = `${header}\n${row(1)}\n${row(2)}\nSame,Number,s@x.example,(202) 555-1001,,\n`;
    const first = await prepare(rep, content);
    await start(rep, first.id);
    expect(await finish(rep, first.id)).toMatchObject({ created: 2, skipped: 1 });
    const again = await prepare(rep, content);
    await start(rep, again.id);
    expect(await finish(rep, again.id)).toMatchObject({ created: 0, skipped: 3 });
    const all = await prepare(rep, content);
    await start(rep, all.id, { mapping, skipKnownNumbers: false });
    expect(await finish(rep, all.id)).toMatchObject({ created: 3, skipped: 0 });
    expect(await leadsOf(rep)).toHaveLength(5);
  });

  test("refuses a mapping to a column that doesn't exist", async () => {
    const rep = await newRep();
    const { id } = await prepare(rep, `${header}\n${row(1)}\n`);
    const refused = await start(rep, id, { mapping: { ...mapping, phone: 17 } });
    expect(refused.json().errors).toEqual([{ field: "mapping.phone", message: "The file doesn’t have that column." }]);
    const lacking = await start(rep, id, { mapping: { firstName: 0 } });
    expect(lacking.statusCode).toBe(422);
    expect(lacking.json().errors).toEqual([
      { field: "mapping.phone", message: "Choose a column for the phone or the email." },
    ]);
  });

  test("resumes after the last finished step when it is killed, even with two concurrent workers, and duplicates nothing", async () => {
    const rep = await newRep();
    const rows = Array.from(
      { length: 3_500 },
      (_, index) => `Zoë${index},Last${index},n${index}@example.com,0000${index} no number,,`,
    );
    const { id } = await prepare(rep, `${header}\r\n${rows.join("\r\n")}\r\n`);
    const key = { id, organisationId: rep.organisationId };
    await app.database.withTransaction(key, (tx) =>
      tx
        .updateTable("lead_imports")
        .set({ state: "running", mapping: JSON.parse(JSON.stringify(mapping)) })
        .where("id", "=", id)
        .execute(),
    );
    let steps = 0;
    const dying: typeof app.database = {
      ...app.database,
      withTransaction: (scope, work) => {
        // The first reads the import; the third step never happens.
        if (++steps > 3) throw new Error("killed");
        return app.database.withTransaction(scope, work);
      },
    };
    await expect(runLeadImport({ ...app, database: dying }, key)).rejects.toThrow("killed");
    expect(await read(rep, id)).toMatchObject({ state: "running", created: 2_000 });
    await Promise.all([runLeadImport(app, key), runLeadImport(app, key), runLeadImport(app, key)]);
    expect(await read(rep, id)).toMatchObject({ state: "completed", created: 3_500, failed: 0, skipped: 0 });
    const counted = await app.database.withTransaction(key, (tx) =>
      tx
        .selectFrom("leads")
        .select(({ fn }) => [fn.countAll().as("all"), fn.count("first_name").distinct().as("names")])
        .executeTakeFirst(),
    );
    expect(counted).toEqual({ all: 3_500, names: 3_500 });
  });

  test("stops when it is deleted, and its file is deleted", async () => {
    const rep = await newRep();
    const before = new Set(await app.store.listOlderThan(Infinity));
    const { id } = await prepare(rep, `${header}\n${row(1)}\n`);
    expect((await app.ask("DELETE", `/v1/lead-imports/${id}`, { token: rep.token })).statusCode).toBe(204);
    await runLeadImport(app, { id, organisationId: rep.organisationId });
    expect(await leadsOf(rep)).toEqual([]);
    expect(new Set(await app.store.listOlderThan(Infinity))).toEqual(before);
  });

  test("of another organisation can't be seen, started or deleted", async () => {
    const [rep, stranger] = [await newRep(), await newRep()];
    const { id } = await prepare(rep, `${header}\n${row(1)}\n`);
    const answers = [
      await start(stranger, id),
      await app.ask("GET", `/v1/lead-imports/${id}`, { token: stranger.token }),
      await app.ask("GET", `/v1/lead-imports/${id}/errors`, { token: stranger.token }),
      await app.ask("DELETE", `/v1/lead-imports/${id}`, { token: stranger.token }),
    ];
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404]);
    expect(await read(rep, id)).toMatchObject({ state: "draft" });
  });
});

describe("the export", () => {
  test("contains every lead of the organisation, escapes formulas, and can be imported again", async () => {
    const [rep, other] = [await newRep(), await newRep()];
    const evil = {
      firstName: '=HYPERLINK("http://evil")',
      lastName: "'@SUM(A1)",
      email: "-2+3@x.example",
      phone: "+12025550100",
    };
    await app.ask("POST", "/v1/leads", { token: rep.token, body: evil });
    await app.ask("POST", "/v1/leads", {
      token: rep.token,
      body: {
        firstName: 'Bob "B"',
        lastName: "Stone, Jr.",
        email: "b@x.example",
        phone: "(202) 555-0101",
        company: "Alder & Finch",
        nextStep: "Send the quote",
        followUpOn: "2026-12-01",
      },
    });
    const got = await app.ask("GET", "/v1/leads/export", { token: rep.token });
    expect(got.headers["content-disposition"]).toMatch(/^attachment; filename="leads-\d{4}-\d\d-\d\d\.csv"/);
    const lines = got.body.replace("\ufeff", "").trimEnd().split("\n");
    expect(lines[0]).toBe(
      '"First name","Last name","Email","Phone","Company","Job title","Status","Owner","Last call","Next step","Call back on","Created","ID"',
    );
    expect(lines[1]).toMatch(
      /^"'=HYPERLINK\(""http:\/\/evil""\)","''@SUM\(A1\)","'-2\+3@x.example","\+12025550100","","","New","","","","",/,
    );
    expect(lines[2]).toMatch(
      /^"Bob ""B""","Stone, Jr.","b@x.example","\(202\) 555-0101","Alder & Finch","","New","","","Send the quote","2026-12-01",/,
    );

    const prepared = await prepare(other, Buffer.from(got.rawPayload));
    await start(other, prepared.id, { mapping: prepared.suggestedMapping });
    await finish(other, prepared.id);
    // The file doesn't say who calls back: it may be a person in another organisation.
    const plain = (lead: Lead) => ({ ...lead, id: null, followUpOwner: null, createdAt: null, updatedAt: null });
    expect((await leadsOf(other)).map(plain)).toEqual((await leadsOf(rep)).map(plain));
  });

  test("contains only the leads that match a search and a status, in the order asked for", async () => {
    const rep = await newRep();
    const leads = [
      { firstName: "Anna", lastName: "Almond", status: "Qualified" },
      { firstName: "Anna", lastName: "Birch", status: "Working" },
      { firstName: "Zoe", lastName: "Almond", status: "Qualified" },
      { firstName: "Carl", lastName: "Cedar", status: "Qualified" },
    ];
    for (const lead of leads)
      await app.ask("POST", "/v1/leads", {
        token: rep.token,
        body: { ...lead, email: "somebody@x.example", phone: "+12025550100" },
      });
    const names = async (query: string) =>
      (await app.ask("GET", `/v1/leads/export?${query}`, { token: rep.token })).body
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => line.replaceAll('"', "").split(",").slice(0, 2).join(" "));
    expect(await names("search=almond&status=Qualified&sort=newest")).toEqual(["Zoe Almond", "Anna Almond"]);
    expect(await names("search=nobody")).toEqual([]);
    expect(await names("status=Working")).toEqual(["Anna Birch"]);
    const unsearchable = await app.ask("GET", "/v1/leads/export?search=a%00b", { token: rep.token });
    expect(unsearchable.statusCode).toBe(422);
  });

  test("streams more leads than one page", async () => {
    const rep = await newRep();
    const { id } = await prepare(rep, `a,b,c,d\n${Array.from({ length: 2_500 }, (_, index) => row(index)).join("\n")}`);
    await start(rep, id, { mapping: { firstName: 0, lastName: 1, email: 2, phone: 3 }, skipKnownNumbers: false });
    await finish(rep, id);
    const got = await app.ask("GET", "/v1/leads/export", { token: rep.token });
    expect(got.body.trimEnd().split("\n")).toHaveLength(2_501);
  });
});

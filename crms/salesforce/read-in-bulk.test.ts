import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { defaultMapping } from "./mapping.ts";
import { crm } from "./server.ts";

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

const domain = "acme.my.salesforce.com";
const own = { instanceUrl: `https://${domain}` };
const grant = { accessToken: "a", refreshToken: "r", expiresAt: null, accountId: null, own };
const jobId = "750R0000000zlh9IAA";
const createdDate = "2026-03-01T12:00:00.000+0000";
const jobOf = (state: string, more: object = {}) => ({ id: jobId, state, createdDate, ...more });
const complete = jobOf("JobComplete", { numberRecordsProcessed: 3 });
const custom = [
  { id: "Partner__c", name: "Partner", labels: {} },
  { id: "Seats__c", name: "Seats", labels: {} },
  { id: "Since__c", name: "Since", labels: {} },
];
const mapping = { ...defaultMapping, custom };
const described = {
  fields: [
    { name: "IsConverted", label: "Converted", type: "boolean" },
    { name: "SystemModstamp", label: "System Modstamp", type: "datetime" },
    { name: "Partner__c", label: "Partner", type: "boolean" },
    { name: "Seats__c", label: "Seats", type: "double" },
    { name: "Since__c", label: "Since", type: "datetime" },
  ],
};

interface Answer {
  status?: number;
  date?: Date;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The adapter against a server whose answers are given one by one, with what it asked for. */
async function answering(...answers: Answer[]) {
  const asked: { method: string; url: URL }[] = [];
  const server = createServer((request, response) => {
    asked.push({ method: request.method ?? "", url: new URL(request.url ?? "", "https://host") });
    const { status = 200, date = new Date(createdDate), headers = {}, body = "" } = answers.shift() ?? { status: 500 };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader("date", date.toUTCString());
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status).end(headers["content-encoding"] === "gzip" ? gzipSync(text) : text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = server.address();
  const address = new URL(`http://127.0.0.1:${typeof at === "object" ? at?.port : 0}`);
  const sandbox = { domain, address, browserPath: "", clientId: "client", clientSecret: null };
  const { bulk, readLeads, close } = crm.open({}, { sandbox });
  closers.push(close, () => server.close());
  if (bulk === null) throw new Error("it has no bulk reading");
  return {
    asked,
    begin: () => bulk.begin(grant, mapping),
    read: (cursor: string | null) => readLeads(grant, cursor, mapping),
  };
}
const begun = [{ body: described }, { body: jobOf("UploadComplete") }] as const;
const set = (csv: string, records: number, locator: string): Answer => ({
  headers: {
    "content-type": "text/csv",
    "content-encoding": "gzip",
    "sforce-numberofrecords": String(records),
    "sforce-locator": locator,
  },
  body: csv,
});
const header = '"Id","LastName","SystemModstamp"\n';
const csv = (id: string) => `${header}"${id}","Stone","2026-01-01T00:00:00.000Z"\n`;
/** Where a reading page by page from nothing stands. */
const fromNothing = JSON.stringify({ after: null, deletedTo: null, reading: null, bulk: null, spentJob: null });

describe("a query job", () => {
  it("is awaited, read set by set by its locator, continued a minute before it started, and deleted then", async () => {
    const { asked, begin, read } = await answering(
      ...begun,
      { body: jobOf("InProgress") },
      { body: complete },
      set(csv("00Q000000000001"), 1, "MTAwMDA+/=="),
      // A header in the middle of a set, too.
      set(`${csv("00Q000000000002")}${csv("00Q000000000003")}`, 2, "null"),
      { status: 204 },
      { body: { totalSize: 0, done: true, records: [] } },
    );
    const cursor = await begin();
    const waiting = await read(cursor);
    expect(waiting).toMatchObject({ leads: [], done: false, wait: { why: "Salesforce is preparing your leads." } });
    expect(waiting.cursor).toBe(cursor);
    const first = await read(cursor);
    const second = await read(first.cursor);
    const ids = [...first.leads, ...second.leads].map(({ externalId }) => externalId);
    expect(ids).toEqual(["00Q000000000001", "00Q000000000002", "00Q000000000003"]);
    expect([first, second].map(({ total, done }) => [total, done])).toEqual([
      [3, false],
      [3, true],
    ]);
    const results = asked.filter(({ url }) => url.pathname.endsWith("/results"));
    expect(results.map(({ url }) => url.searchParams.get("locator"))).toEqual([null, "MTAwMDA+/=="]);
    const next = { after: { at: "2026-03-01T11:59:00.000Z", id: "000000000000000" } };
    expect(JSON.parse(second.cursor)).toMatchObject({ ...next, deletedTo: "2026-03-01T12:00:00.000Z", bulk: null });
    // Not before its last results are stored.
    expect(asked.map(({ method }) => method)).not.toContain("DELETE");
    const changes = await read(second.cursor);
    expect(asked.slice(-2).map(({ method }) => method)).toEqual(["DELETE", "GET"]);
    expect(JSON.parse(changes.cursor)).toMatchObject({ spentJob: null });
  });

  it("brings the same leads as pages, though a CSV has nothing but text", async () => {
    const page = {
      Id: "00Q000000000001",
      IsConverted: true,
      SystemModstamp: "2026-01-01T00:00:00.000+0000",
      FirstName: null,
      LastName: 'Stone, "Bob"',
      Email: "bob@stone.example",
      Phone: " +1 202 555 0100 ",
      Owner: { Name: "Noor Blake", Email: "noor@x.example" },
      Partner__c: false,
      Seats__c: 12,
      Since__c: "2026-01-31T09:30:00.000+0000",
    };
    const typed = `"Id","IsConverted","SystemModstamp","FirstName","LastName","Email","Phone","Owner.Name","Owner.Email","Partner__c","Seats__c","Since__c"
"00Q000000000001","true","2026-01-01T00:00:00.000Z","","Stone, ""Bob""","bob@stone.example"," +1 202 555 0100 ","Noor Blake","noor@x.example","false","12.0","2026-01-31T09:30:00.000Z"
`;
    const { begin, read } = await answering(
      { body: { totalSize: 1, done: true, records: [page] } },
      ...begun,
      { body: complete },
      set(typed, 1, "null"),
    );
    const [byPage] = (await read(null)).leads;
    const [inBulk] = (await read(await begin())).leads;
    expect(inBulk).toEqual(byPage);
    expect(inBulk?.customFields?.map(({ value }) => value)).toEqual(["No", "12", "2026-01-31T09:30:00.000+0000"]);
  });

  const refusal = (status: number, errorCode: string) => ({ status, body: [{ errorCode, message: "no" }] });
  it.each([
    ["the API", [refusal(403, "API_DISABLED_FOR_ORG")]],
    ["Bulk API", [{ body: described }, refusal(400, "FeatureNotEnabled")]],
    ["another job today", [{ body: described }, refusal(403, "EXCEEDED_QUOTA")]],
  ])("isn't begun if the org refuses %s", async (_, answers) => {
    const { begin } = await answering(...answers);
    expect(await begin()).toBeNull();
  });

  it.each<[string, Answer[]]>([
    ["failed", [{ body: jobOf("Failed") }]],
    ["was aborted", [{ body: jobOf("Aborted") }]],
    ["is gone", [refusal(404, "NOT_FOUND")]],
    ["has no results", [{ body: complete }, { status: 204 }]],
    ["refuses its results", [{ body: complete }, refusal(400, "API_ERROR")]],
    ["answers with more than is read at once", [{ body: complete }, set("x".repeat(33_000_000), 1, "null")]],
  ])("that %s is replaced by pages from the start", async (_, answers) => {
    const { begin, read } = await answering(...begun, ...answers);
    const page = await read(await begin());
    expect(page).toEqual({ leads: [], leftOut: [], deleted: [], total: null, done: false, cursor: fromNothing });
  });

  it("that takes more than two hours is aborted, and replaced by pages", async () => {
    const date = new Date("2026-03-01T14:00:01Z");
    const { asked, begin, read } = await answering(
      ...begun,
      { date, body: jobOf("InProgress") },
      { body: jobOf("Aborted") },
    );
    expect((await read(await begin())).cursor).toBe(fromNothing);
    expect(asked.at(-1)).toMatchObject({ method: "PATCH" });
  });

  it.each([
    ["fewer records than announced", set(header, 1, "null")],
    ["half a cell", set(`${header}"00Q0000000`, 1, "null")],
    ["half a record", set(`${header}"00Q000000000001"`, 1, "null")],
  ])("whose answer has %s is asked again from the same place", async (_, broken) => {
    const good = set(csv("00Q000000000001"), 1, "null");
    const { begin, read } = await answering(...begun, { body: complete }, broken, { body: complete }, good);
    const cursor = await begin();
    await expect(read(cursor)).rejects.toMatchObject({ fault: "unreachable" });
    expect((await read(cursor)).leads).toHaveLength(1);
  });

  it("that can't be deleted prevents nothing", async () => {
    const results = set(csv("00Q000000000001"), 1, "null");
    const changes = { body: { totalSize: 0, done: true, records: [] } };
    const { begin, read } = await answering(...begun, { body: complete }, results, { status: 503 }, changes);
    const { cursor } = await read(await begin());
    expect(await read(cursor)).toMatchObject({ leads: [], done: false });
  });
});

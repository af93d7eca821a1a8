import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeLeads } from "./make-leads.ts";
import type { SandboxCrm } from "../sandbox-crm.ts";
import { startSandboxCrm } from "./server.ts";
import { parseSoql, SoqlError } from "./soql.ts";

let sandbox: SandboxCrm;
beforeAll(async () => {
  sandbox = await startSandboxCrm({ file: null, publicUrl: new URL("https://phone.example") });
});
afterAll(() => sandbox.close());

const authorise = (query: Record<string, string>, host = "app.example:3000") =>
  sandbox.answerBrowser({
    method: "GET",
    url: `/services/oauth2/authorize?${new URLSearchParams(query)}`,
    headers: { host },
    body: "",
  });
const good = {
  response_type: "code",
  client_id: "leadline-on-this-machine",
  redirect_uri: "http://app.example:3000/back",
  state: "<script>",
  scope: "api refresh_token",
  code_challenge: "x".repeat(43),
  code_challenge_method: "S256",
};

describe("the consent page", () => {
  it("asks in plain words and writes nothing of the request into the page", () => {
    const { status, body } = authorise({ ...good, scope: "api <script>alert(1)</script>" });
    expect(status).toBe(200);
    expect(body).toContain("Allow Leadline to access your CRM?");
    expect(body).not.toContain("<script>");
  });

  it("waits for the answers to a thousand, and forgets the oldest beyond them", () => {
    const tickets = Array.from(
      { length: 1_001 },
      () => /name="ticket" value="([^"]+)"/.exec(authorise(good).body)?.[1],
    );
    const decide = (ticket = "") =>
      sandbox.answerBrowser({
        method: "POST",
        url: "/services/oauth2/authorize",
        headers: { host: "app.example:3000" },
        body: new URLSearchParams({ ticket, decision: "deny" }).toString(),
      }).status;
    expect([decide(tickets[0]), decide(tickets[1]), decide(tickets.at(-1))]).toEqual([400, 302, 302]);
  });

  it("sends nobody to a foreign address, nor for an unknown app, but shows why", () => {
    const foreign = [
      authorise({ ...good, redirect_uri: "https://evil.example/back" }),
      authorise({ ...good, redirect_uri: "javascript:alert(1)" }),
      authorise({ ...good, client_id: "other" }),
    ];
    for (const { status, headers } of foreign) expect([status, headers["location"]]).toEqual([400, undefined]);
    expect(authorise({ ...good, redirect_uri: "https://phone.example/back" }).status).toBe(200);
  });

  it.each([{ code_challenge_method: "plain" }, { code_challenge: "" }, { response_type: "token" }])(
    "sends an error back for %o",
    (wrong) => {
      const location = new URL(authorise({ ...good, ...wrong }).headers["location"] ?? "");
      expect(location.searchParams.get("error")).toMatch(/^(invalid_request|unsupported_response_type)$/);
      expect(location.searchParams.get("state")).toBe("<script>");
    },
  );

  it("counts an answer once", () => {
    const ticket = /name="ticket" value="([^"]+)"/.exec(authorise(good).body)?.[1] ?? "";
    const answer = () =>
      sandbox.answerBrowser({
        method: "POST",
        url: "/services/oauth2/authorize",
        headers: {},
        body: new URLSearchParams({ ticket, decision: "allow" }).toString(),
      });
    expect([answer().status, answer().status]).toEqual([302, 400]);
  });

  it("is all that a browser reaches", () => {
    const paths = ["/services/oauth2/token", "/services/data/v62.0/query?q=SELECT+Id+FROM+Lead", "/"];
    for (const url of paths)
      expect(sandbox.answerBrowser({ method: "GET", url, headers: {}, body: "" }).status).toBe(404);
  });
});

describe("the API", () => {
  it("answers 401 with INVALID_SESSION_ID, in a list, to whoever has no token", async () => {
    const answer = await fetch(new URL("/services/data/v62.0/query?q=SELECT+Id+FROM+Lead", sandbox.address));
    expect([answer.status, await answer.json()]).toEqual([
      401,
      [{ errorCode: "INVALID_SESSION_ID", message: "Session expired or invalid" }],
    ]);
  });

  it.each([
    ["SELECT Id", "MALFORMED_QUERY"],
    ["SELECT Id FROM Lead WHERE", "MALFORMED_QUERY"],
    ["SELECT Id FROM Lead; DROP", "MALFORMED_QUERY"],
    ["SELECT Nonsense FROM Lead", "INVALID_FIELD"],
    ["SELECT Id FROM Account", "INVALID_TYPE"],
  ])("answers %s with %s", (q, errorCode) => {
    const answer = sandbox.ask({ method: "GET", path: `/services/data/v62.0/query?${new URLSearchParams({ q })}` });
    expect([answer.status, JSON.parse(answer.body)[0].errorCode]).toEqual([400, errorCode]);
  });

  it.each([
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:30Z"],
    ["2020-01-01T00:00:00Z", "2020-02-01T00:00:00Z"],
  ])("refuses deletions from %s to %s", (start, end) => {
    const path = `/services/data/v62.0/sobjects/Lead/deleted/?${new URLSearchParams({ start, end })}`;
    expect(JSON.parse(sandbox.ask({ method: "GET", path }).body)[0].errorCode).toBe("INVALID_REPLICATION_DATE");
  });
});

describe("a query job", () => {
  const jobsPath = "/services/data/v62.0/jobs/query";
  const ask = (method: string, path = "", body?: object) =>
    sandbox.ask({ method, path: `${jobsPath}${path}`, ...(body && { body }) });
  const errorOf = ({ status, body }: { status: number; body: string }) => [status, JSON.parse(body)[0].errorCode];
  const query = "SELECT Id, IsConverted, Owner.Name, SystemModstamp FROM Lead";
  const begin = (more: object = {}): string =>
    JSON.parse(ask("POST", "", { operation: "query", query, ...more }).body).id;
  const stateOf = (id: string): string => JSON.parse(ask("GET", `/${id}`).body).state;

  it("is queued, runs and completes, and its CSV comes in sets by locator, gzipped", async () => {
    const id = begin();
    expect([stateOf(id), stateOf(id)]).toEqual(["UploadComplete", "InProgress"]);
    expect(JSON.parse(ask("GET", `/${id}`).body)).toMatchObject({
      id,
      operation: "query",
      object: "Lead",
      state: "JobComplete",
      concurrencyMode: "Parallel",
      contentType: "CSV",
      apiVersion: 62,
      jobType: "V2Query",
      numberRecordsProcessed: sandbox.leadCount(),
    });
    const ids: string[] = [];
    const sizes: number[] = [];
    for (let locator = ""; locator !== "null";) {
      const { headers, body } = ask("GET", `/${id}/results?maxRecords=120${locator && `&locator=${locator}`}`);
      const [header, ...lines] = body.trimEnd().split("\n");
      expect(header).toBe('"Id","IsConverted","Owner.Name","SystemModstamp"');
      for (const line of lines)
        expect(line).toMatch(/^"00Q\w{15}","(true|false)","[\w ]+","[\d-]{10}T[\d:]{8}\.\d{3}Z"$/);
      ids.push(...lines.map((line) => line.slice(1, 19)));
      sizes.push(Number(headers["sforce-numberofrecords"]));
      expect(headers).toMatchObject({ "content-type": "text/csv", "content-encoding": "gzip" });
      locator = headers["sforce-locator"] ?? "null";
    }
    // No more than a hundred at once, whatever is asked for.
    expect(sizes).toEqual([100, 100, sandbox.leadCount() - 200]);
    expect(new Set(ids).size).toBe(sandbox.leadCount());
  });

  it("has no content until it is complete, and can be aborted before and deleted after", () => {
    const [running, complete] = [begin(), begin()];
    for (let polls = 0; polls < 3; polls += 1) stateOf(complete);
    expect(ask("GET", `/${running}/results`).status).toBe(204);
    expect(errorOf(ask("DELETE", `/${running}`))).toEqual([400, "API_ERROR"]);
    expect(errorOf(ask("PATCH", `/${complete}`, { state: "Aborted" }))).toEqual([400, "API_ERROR"]);
    expect(JSON.parse(ask("PATCH", `/${running}`, { state: "Aborted" }).body)).toMatchObject({ state: "Aborted" });
    expect([ask("DELETE", `/${running}`).status, ask("DELETE", `/${complete}`).status]).toEqual([204, 204]);
    expect(errorOf(ask("GET", `/${complete}`))).toEqual([404, "NOT_FOUND"]);
  });

  it.each([
    [{ query: `${query} ORDER BY Id` }, "API_ERROR"],
    [{ query: `${query} LIMIT 5` }, "API_ERROR"],
    [{ query: "SELECT Id FROM Task" }, "INVALIDENTITY"],
    [{ query: "SELECT Nonsense FROM Lead" }, "INVALID_FIELD"],
    [{ query: "SELECT Id" }, "MALFORMED_QUERY"],
    [{ operation: "insert" }, "INVALIDJOB"],
    [{ contentType: "XML" }, "INVALIDJOB"],
  ])("of %j is refused with %s", (wrong, errorCode) => {
    expect(errorOf(ask("POST", "", { operation: "query", query, ...wrong }))).toEqual([400, errorCode]);
  });
});

describe("SOQL", () => {
  const people = [
    { Name: "Ada", At: 1, Id: "b" },
    { Name: "O'Neil", At: 1, Id: "a" },
    { Name: null, At: 2, Id: "c" },
  ];
  const run = (text: string): unknown[] => {
    const query = parseSoql(text);
    return people
      .filter(query.matches)
      .toSorted(query.compare)
      .map(({ Id }) => Id);
  };

  it("compares, combines, sorts and quotes", () => {
    expect(run("SELECT Id FROM P WHERE At > 1 OR (At = 1 AND Id > 'a') ORDER BY At, Id")).toEqual(["b", "c"]);
    expect(run("select Id from P order by At desc, Id asc")).toEqual(["c", "a", "b"]);
    expect(run("SELECT Id FROM P WHERE Name = 'O\\'Neil'")).toEqual(["a"]);
    expect(run("SELECT Id FROM P WHERE Name = null")).toEqual(["c"]);
    expect(run("SELECT Id FROM P WHERE At >= 1970-01-01T00:00:00.002Z")).toEqual(["c"]);
  });

  it("says where it stops to understand", () => {
    expect(() => parseSoql("SELECT Id FROM P WHERE Name LIKE 'A%'")).toThrow(SoqlError);
    expect(() => parseSoql("SELECT Id FROM P WHERE Name = 'open")).toThrow(SoqlError);
  });
});

describe("the leads", () => {
  it("are always the same 250, with valid identifiers, and the carrier's sandbox numbers on the first ten", () => {
    const leads = makeLeads(Date.parse("2026-06-01T00:00:00Z"));
    expect(leads).toEqual(makeLeads(Date.parse("2026-06-01T00:00:00Z")));
    expect(new Set(leads.map(({ Id }) => Id)).size).toBe(250);
    for (const { Id } of leads) expect(Id).toMatch(/^00Q5g00000\w{5}[A-Z0-5]{3}$/);
    const numbers = leads.slice(0, 10).map(({ Phone }) => Phone?.replaceAll(/[^+\d]/g, ""));
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, n) => `+120255501${String(n).padStart(2, "0")}`));
    expect(Math.max(...leads.map(({ SystemModstamp }) => SystemModstamp))).toBeLessThan(
      Date.parse("2026-06-01T00:00:00Z"),
    );
  });
});

it("a sandbox with a file remembers changes and consents", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-crm-"));
  const file = join(folder, "state.json");
  const first = await startSandboxCrm({ file, publicUrl: null });
  const path = "/services/data/v62.0/sobjects/Lead";
  first.ask({ method: "POST", path, body: { LastName: "Kept", Company: "Kept" } });
  await first.close();
  const second = await startSandboxCrm({ file, publicUrl: null });
  expect(second.leadCount()).toBe(251);
  await second.close();
  rmSync(folder, { recursive: true });
});

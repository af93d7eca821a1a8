import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crm } from "./server.ts";

/** Salesforce's own requests, as its collection for Postman holds them (CC0). */
const folder = join(process.env["CONTRACTS_DIR"] ?? "../shared/contracts", "salesforce/postman");
const missing = !existsSync(folder);

const jobId = "750R0000000zlh9IAA";

interface PostmanRequest {
  url: string;
  method: string;
  headerData: { key: string; value: string }[];
  rawModeData: string | null;
  data: { key: string }[] | null;
  queryParams: { key: string }[];
}
const readContract = (name: string): PostmanRequest => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
/** Without host, version and query, in the words of ours. */
const pathOf = (url: string): string =>
  (url.split("?", 1)[0] ?? "")
    .replace(/^(\{\{\w+\}\})+/, "")
    .replaceAll(/v\{\{version\}\}|v\d+\.\d+/g, "v")
    .replace("<SOBJECT_API_NAME>", "Lead")
    .replace("{{_jobId}}", jobId)
    .replace(/\/$/, "");
const keysOf = (list: { key: string }[] | null): string[] => (list ?? []).map(({ key }) => key);

interface Seen {
  method: string;
  url: URL;
  contentType: string;
  form: URLSearchParams;
  body: string;
}

if (missing)
  console.info(`${folder} is missing, so Salesforce's own requests are not compared; CONTRACTS_DIR names it.`);

describe.skipIf(missing)("what is sent, beside Salesforce's own collection", () => {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "https://host");
    const body = await text(request);
    const form = new URLSearchParams(body);
    seen.push({ method: request.method ?? "", url, contentType: request.headers["content-type"] ?? "", form, body });
    const tokens = { access_token: "a", refresh_token: "r", instance_url: "https://acme.my.salesforce.com" };
    const empty = { totalSize: 0, done: true, records: [] };
    const deleted = { deletedRecords: [], latestDateCovered: "2026-01-02T00:00:00.000+0000" };
    const answers: [string, object][] = [
      ["oauth2", tokens],
      ["deleted", deleted],
      ["describe", { fields: [] }],
      ["jobs/query", { id: jobId, state: "JobComplete", createdDate: "2026-01-02T00:00:00.000+0000" }],
    ];
    if (url.pathname.endsWith("/results")) return response.setHeader("sforce-numberofrecords", 0).end('"Id"\n');
    const answer = answers.find(([part]) => url.pathname.includes(part))?.[1] ?? empty;
    response.end(JSON.stringify(answer));
  });
  const callbackUrl = "https://leadline.example/callback";
  const workspace = "acme.my.salesforce.com";
  let authorise: URL;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const address = new URL(`http://127.0.0.1:${port}`);
    const sandbox = { domain: workspace, address, browserPath: "", clientId: "client", clientSecret: null };
    const opened = crm.open({}, { sandbox });
    authorise = new URL(opened.authoriseUrl({ workspace, callbackUrl, state: "state", codeChallenge: "challenge" }));
    const login = { workspace, callbackUrl, code: "code", codeVerifier: "verifier" };
    const grant = await opened.refresh(workspace, await opened.exchangeCode(login));
    const { cursor } = await opened.readLeads(grant, null, null);
    const second = await opened.readLeads(grant, cursor, null);
    await opened.readLeads(grant, second.cursor, null);
    await opened.sources.describeFields(grant, "Lead");
    let job = (await opened.bulk?.begin(grant, null)) ?? null;
    for (let done = false; !done;) ({ done, cursor: job } = await opened.readLeads(grant, job, null));
    await opened.readLeads(grant, job, null);
    await opened.revoke(workspace, grant);
    opened.close();
  });
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

  it("authorize: the path and every parameter, for a code", () => {
    const contract = readContract("auth/web_server_flow_1");
    expect(authorise.pathname).toBe(pathOf(contract.url));
    expect([...authorise.searchParams.keys()]).toEqual(expect.arrayContaining(keysOf(contract.queryParams)));
    expect(authorise.searchParams.get("response_type")).toBe("code");
  });

  // A public client has no secret: PKCE stands in its place.
  it.each([
    ["auth/web_server_flow_2", "authorization_code", ["client_secret"]],
    ["auth/refresh_token", "refresh_token", ["client_secret"]],
  ])("%s: the path, the form and its fields", (name, grantType, without) => {
    const contract = readContract(name);
    const sent = seen.find(({ form }) => form.get("grant_type") === grantType);
    expect(sent).toMatchObject({ method: contract.method, contentType: "application/x-www-form-urlencoded" });
    expect(sent?.url.pathname).toBe(pathOf(contract.url));
    const fields = keysOf(contract.data).filter((key) => !without.includes(key));
    expect([...(sent?.form.keys() ?? [])]).toEqual(expect.arrayContaining(fields));
  });

  it.each(["auth/revoke_token", "rest/query", "rest/sobject_get_deleted", "rest/sobject_describe"])(
    "%s: the method, the path and its parameters",
    (name) => {
      const contract = readContract(name);
      const sent = seen.find(({ url }) => pathOf(url.pathname) === pathOf(contract.url));
      expect(sent?.method).toBe(contract.method);
      const given = [...(sent?.url.searchParams.keys() ?? []), ...(sent?.form.keys() ?? [])];
      expect(given).toEqual(expect.arrayContaining([...keysOf(contract.queryParams), ...keysOf(contract.data)]));
    },
  );

  it.each([
    "query/create_job_query",
    "query/get_job_info_query",
    "query/get_job_query_result",
    "query/delete_job_query",
  ])("%s: the method, the path, and no parameter or property of our own", (name) => {
    const contract = readContract(name);
    const sent = seen.find(
      ({ method, url }) => method === contract.method && pathOf(url.pathname) === pathOf(contract.url),
    );
    expect(keysOf(contract.queryParams)).toEqual(
      expect.arrayContaining([...(sent?.url.searchParams.keys() ?? ["none"])]),
    );
    const documented: Record<string, string> = JSON.parse(contract.rawModeData || "{}");
    const properties: Record<string, string> = JSON.parse(sent?.body || "{}");
    expect(Object.keys(properties).toSorted()).toEqual(Object.keys(documented).toSorted());
    for (const key of ["operation", "contentType", "columnDelimiter", "lineEnding"] as const)
      expect((documented[key] ?? "undefined").split(" | ")).toContain(String(properties[key]));
  });

  it("getDeleted: times with an offset, at least a minute apart", () => {
    const asked = seen.find(({ url }) => url.pathname.includes("deleted"))?.url.searchParams;
    const [start = "", end = ""] = [asked?.get("start") ?? "", asked?.get("end") ?? ""];
    expect([start, end].join()).toMatch(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00,?){2}$/);
    expect(Date.parse(end) - Date.parse(start)).toBeGreaterThanOrEqual(60_000);
  });
});

/**
 * GET /v1/leads over a million leads in one of three organisations: the first page and later ones, searches, sorts;
 * then its rate against pgbench sending the same query. Authentication and row-level security are on. `node
 * bench/leads/run.ts [leads]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { startEmbeddedPostgres } from "../../apps/server/src/db/embedded/start-embedded-postgres.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { askAt, type Person, signUp } from "../../testing/sign-up.ts";
import { startApp } from "../../testing/start-app.ts";
import { pgbench } from "../http/pgbench.ts";
import { press } from "../http/press.ts";
import { pressByWrk } from "../http/press-by-wrk.ts";
import { median, percentile, writeResults } from "../write-results.ts";
import { browseLeads } from "./browse-leads.ts";
import { seedLeads } from "./seed-leads.ts";

const count = Number(process.argv[2] ?? 1_000_000);
const rounds = 5;
const seconds = 3;
const connections = 16;
/** Node compiles a route's code during its first ten thousand requests; pgbench is compiled from the start. */
const warmUpSeconds = 20;

const dataDir = mkdtempSync(join(tmpdir(), "leadline-bench-"));
const postgres = await startEmbeddedPostgres({ dataDir }, createLog("error"));
const app = await startApp({ env: { DATABASE_URL: postgres.url } });
const owner = new Pool({ connectionString: postgres.url, max: 1 });
const headersOf = ({ token }: Person) => ({ authorization: `Bearer ${token}` });
const address = (path: string) => new URL(`/api${path}`, app.address);

try {
  const [large, middling, small] = [await member("Large"), await member("Middling"), await member("Small")];
  await seedLeads(owner, { organisationId: large.organisationId, company: "acme", count });
  await seedLeads(owner, { organisationId: middling.organisationId, company: "globex", count: Math.ceil(count / 5) });
  await seedLeads(owner, { organisationId: small.organisationId, company: "initech", count: Math.ceil(count / 1000) });
  await owner.query("vacuum analyze leads");
  await measureLatency(large, middling, small);
  await measureRate(large);
  await browseLeads(app.address, large);
} finally {
  await app.stop();
  await owner.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

type Member = Person & { organisationId: string };

async function member(organisation: string): Promise<Member> {
  const person = await signUp(app.address, { organisation });
  const me = await askAt(app.address, "/v1/users/me", { token: person.token });
  return { ...person, organisationId: me.activeOrganisation.id };
}

/** The address of a page that many pages precede. */
async function pageDeep(by: Member, query: string, pages: number): Promise<string> {
  let path = `/v1/leads?limit=200&${query}`;
  for (let page = 0; page < pages; page += 1) {
    const answer = await fetch(address(path), { headers: headersOf(by) });
    path = /<\/api([^>]+)>/.exec(answer.headers.get("link") ?? "")?.[1] ?? path;
  }
  return path.replace("limit=200", "limit=50");
}

async function measureLatency(large: Member, middling: Member, small: Member): Promise<void> {
  const cases: [string, Member, string][] = [
    ["(the health check, for comparison)", large, "/health"],
    ["newest 50", large, "/v1/leads"],
    ["50 after the newest 20,000", large, await pageDeep(large, "sort=newest", 100)],
    ["by name", large, "/v1/leads?sort=name"],
    ["by email", large, "/v1/leads?sort=email"],
    ["by job title, 50 after 20,000", large, await pageDeep(large, "sort=jobTitle", 100)],
    ["by owner", large, "/v1/leads?sort=owner"],
    ["by owner, 50 after 20,000", large, await pageDeep(large, "sort=-owner", 100)],
    ["rare, by owner", large, "/v1/leads?search=stone4242&sort=owner"],
    ["by status, one status", large, "/v1/leads?sort=status&status=Qualified"],
    ["rare: one lead in a hundred thousand", large, "/v1/leads?search=stone4242"],
    ["rare: one in a thousand", large, "/v1/leads?search=brownzyx"],
    ["common: one in ten", large, "/v1/leads?search=smith"],
    ["common, sorted by name and far down", large, "/v1/leads?search=smith&sort=name"],
    ["rare, one status", large, "/v1/leads?search=brownzyx&status=Nurturing"],
    ["common, oldest first", large, "/v1/leads?search=smith&sort=oldest"],
    ["rare, oldest first", large, "/v1/leads?search=stone4242&sort=oldest"],
    ["two words", large, "/v1/leads?search=smith%20bob"],
    ["common, later page", large, await pageDeep(large, "search=smith", 20)],
    ["two letters, nowhere", large, "/v1/leads?search=zo"],
    ["a phone number", large, "/v1/leads?search=%28231%29%20217-0007"],
    ["nowhere", large, "/v1/leads?search=quagga"],
    ["common elsewhere, absent here (the largest)", large, "/v1/leads?search=globex"],
    ["common elsewhere, absent here (a fifth of it)", middling, "/v1/leads?search=acme"],
    ["common elsewhere, absent here (small)", small, "/v1/leads?search=acme"],
  ];
  const rows = [["GET /v1/leads", "found", "median ms", "p95 ms", "p99 ms"]];
  for (const [what, by, path] of cases) {
    const headers = headersOf(by);
    const found = await askAt(app.address, path, { token: by.token });
    if (Array.isArray(found) && (found.length === 0) !== /absent|nowhere/.test(what))
      throw new Error(`${what}: ${path} found ${found.length}`);
    await press(address(path), { connections: 1, ms: 500, headers });
    const { latenciesMs } = await press(address(path), { connections: 1, ms: 2_000, headers });
    const ms = (value: number) => value.toFixed(1);
    const shares = [0.95, 0.99].map((share) => ms(percentile(latenciesMs, share)));
    rows.push([what, String(found.length ?? ""), ms(median(latenciesMs)), ...shares]);
  }
  writeResults("leads", {
    what: `One request after another, among ${count.toLocaleString("en")} leads of one organisation and two smaller ones.`,
    rows,
  });
}

async function measureRate(by: Member): Promise<void> {
  const query =
    `select id, first_name, last_name, email, phone, phone_number, status, follow_up_on, integration_id, created_at, updated_at
    from leads where organisation_id = '${by.organisationId}' order by position desc limit 51;`.replaceAll(
      /\s*\n\s*/g,
      " ",
    );
  const scoped = new URL(postgres.url);
  scoped.search = `?options=${encodeURIComponent(`-c role=leadline_app -c app.organisation_id=${by.organisationId}`)}`;
  const scope = `select set_config('app.organisation_id', '${by.organisationId}', true);`;
  const asked: readonly { what: string; url: string; script: string }[] = [
    {
      what: "a transaction with its scope, statement by statement",
      url: postgres.url,
      script: `set role leadline_app;\nbegin;\n${scope}\n${query}\ncommit;`,
    },
    { what: "the query alone, on connections of that scope", url: scoped.href, script: query },
  ];
  const ask = (forSeconds: number) =>
    pressByWrk(address("/v1/leads"), { connections, seconds: forSeconds, headers: headersOf(by) });
  let { by: client } = await ask(warmUpSeconds);
  const ours: number[] = [];
  const limits = new Map<string, number[]>(asked.map(({ what }) => [what, []]));
  for (let round = 0; round < rounds; round += 1) {
    const pressed = await ask(seconds);
    client = pressed.by;
    ours.push(pressed.perSecond);
    for (const { what, url, script } of asked) {
      const limit = await pgbench(url, { script, connections, seconds });
      if (limit !== null) limits.get(what)?.push(limit);
    }
  }
  const mine = median(ours);
  writeResults("leads-rate", {
    what: `GET /v1/leads, 50 of ${count.toLocaleString("en")}, on ${connections} connections; medians of ${rounds} interleaved rounds of ${seconds} s after ${warmUpSeconds} s of warming up, asked by ${client}. pgbench asks the same query under row-level security, without sign-in.`,
    rows: [
      ["pgbench sends", "pgbench, a second", "Leadline, a second", "ratio"],
      ...[...limits].map(([what, each]) =>
        each.length === 0
          ? [what, "not installed", String(Math.round(mine)), ""]
          : [what, String(Math.round(median(each))), String(Math.round(mine)), (mine / median(each)).toFixed(2)],
      ),
    ],
  });
}

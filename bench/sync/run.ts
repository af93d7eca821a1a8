/**
 * Leads of a CRM's sandbox: a first load by its bulk reading, and a second reading of all of them, unchanged; against the
 * same rows upserted from arrays on the same database, with the API's response times meanwhile and the server's memory.
 * `node bench/sync/run.ts [leads] [rounds] [crm]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SyncRun } from "@leadline/contract/integrations";
import { Pool } from "pg";
import { crms } from "../../apps/server/src/adapters.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/db/embedded/start-embedded-postgres.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { askAt, type Person, signUp } from "../../testing/sign-up.ts";
import { askSteadily, forSeconds } from "../ask-steadily.ts";
import { median, percentile, writeResults } from "../write-results.ts";
import { startSandbox, startServer } from "./processes.ts";
import { measureCeiling } from "./upsert-ceiling.ts";

const leads = Number(process.argv[2] ?? 100_000);
const rounds = Number(process.argv[3] ?? 3);
const service = process.argv[4] ?? crms[0]?.module.id ?? "";
const idleSeconds = 10;
const pollMs = 100;

const dataDir = mkdtempSync(join(tmpdir(), "leadline-bench-"));
const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, "database") }, createLog("error"));
const { sandbox, allow, stop: stopSandbox } = await startSandbox({ service, leads, largestPage: 2_000 });
const environment = { DATABASE_URL: postgres.url, DATA_DIR: join(dataDir, "server"), TRUSTED_PROXIES: "127.0.0.1" };
const server = await startServer(sandbox, environment);
const owner = new Pool({ connectionString: postgres.url, max: 1 });
const { address } = server;

try {
  const onlooker = await signUp(address, { organisation: "Onlooker" });
  for (let lead = 0; lead < 50; lead += 1) await addLead(onlooker, lead);
  const asked = { address, path: "/v1/leads", token: onlooker.token };
  await askSteadily(asked, forSeconds(idleSeconds));
  const idle = await askSteadily(asked, forSeconds(idleSeconds));
  const idleMb = server.memoryMb();
  const syncs: { first: Sync; second: Sync; ceiling: { first: number; second: number } }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const person = await signUp(address, { organisation: `Round ${round}` });
    const integrationId = await connect(person);
    const first = await syncOnce(person, { integrationId, asked });
    // A mapping that is saved anew has every lead read again.
    await readAllAgain(person, integrationId);
    const second = await syncOnce(person, { integrationId, asked });
    if (first.run.created !== leads || second.run.read !== leads || second.run.updated + second.run.created !== 0)
      throw new Error(`the syncs were ${JSON.stringify([first.run, second.run])}`);
    const me = await askAt(address, "/v1/users/me", { token: person.token });
    syncs.push({ first, second, ceiling: await measureCeiling(owner, me.activeOrganisation.id) });
  }
  const of = (which: "first" | "second") => {
    const seconds = median(syncs.map((each) => each[which].seconds));
    const ceiling = median(syncs.map(({ ceiling: each }) => each[which]));
    const latenciesMs = syncs.flatMap((each) => each[which].latenciesMs);
    const rate = (took: number) => Math.round(leads / took).toLocaleString("en");
    return [
      rate(seconds),
      rate(ceiling),
      (ceiling / seconds).toFixed(2),
      median(syncs.map((each) => each[which].wholeSeconds)).toFixed(1),
      Math.max(...syncs.map((each) => each[which].maxMb)).toFixed(0),
      percentile(latenciesMs, 0.99).toFixed(1),
      (percentile(latenciesMs, 0.99) / percentile(idle, 0.99)).toFixed(1),
    ];
  };
  writeResults("sync", {
    what:
      `${leads.toLocaleString("en")} leads of the ${service} sandbox's bulk reading, over HTTP, into an organisation; medians of ${rounds} ` +
      `rounds, memory the highest. The ceiling is the same rows in upserts of 2,000 from arrays, as the app's role, on the same database. ` +
      `Rates leave out how long the CRM prepares the leads; seconds include it. Server, sandbox, database and the client that asks for ` +
      `GET /v1/leads every 20 ms share the machine, whose load average at the end was ${loadavg()[0]?.toFixed(1)}. The idle server took ` +
      `${idleMb.toFixed(0)} MB; GET /v1/leads had a p99 of ${percentile(idle, 0.99).toFixed(1)} ms, and a median of ${median(idle).toFixed(1)} ms.`,
    rows: [
      ["", "rows a second", "ceiling", "ratio", "seconds", "memory MB", "API p99 ms", "× idle"],
      ["first load", ...of("first")],
      ["again, unchanged", ...of("second")],
    ],
  });
} finally {
  await server.stop();
  await stopSandbox();
  await owner.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function addLead({ token }: Person, number: number): Promise<void> {
  const body = {
    firstName: "Bob",
    lastName: `Stone ${number}`,
    email: `bob${number}@x.example`,
    phone: "+12025550100",
  };
  await askAt(address, "/v1/leads", { body, token });
}

async function connect({ token }: Person): Promise<string> {
  const body = { service, label: "Bench", workspaceDomain: sandbox.domain };
  const { id } = await askAt(address, "/v1/integrations", { body, token });
  const path = `/v1/integrations/${service}`;
  const { url } = await askAt(address, `${path}/login/${id}`, { method: "POST", token });
  const back = (await allow(url)).searchParams;
  await askAt(address, `${path}/callback`, {
    body: { code: back.get("code"), integrationId: back.get("state") },
    token,
  });
  return id;
}

async function readAllAgain({ token }: Person, integrationId: string): Promise<void> {
  const path = `/v1/integrations/${integrationId}`;
  const [source] = await askAt(address, `${path}/sources`, { token });
  const { suggested } = await askAt(address, `${path}/sources/${source.id}`, { token });
  const body = { source: source.id, fields: suggested, custom: [], statuses: {} };
  await askAt(address, `${path}/mapping`, { method: "PUT", body, token });
}

interface Sync {
  run: SyncRun;
  /** From the first leads on. */
  seconds: number;
  wholeSeconds: number;
  maxMb: number;
  latenciesMs: number[];
}

async function syncOnce(
  { token }: Person,
  { integrationId, asked }: { integrationId: string; asked: Parameters<typeof askSteadily>[0] },
): Promise<Sync> {
  const path = `/v1/integrations/${integrationId}`;
  const startedAt = performance.now();
  const { id } = await askAt(address, `${path}/sync`, { method: "POST", token });
  let run: SyncRun = await askAt(address, `${path}/syncs/${id}`, { token });
  let readFrom: { atMs: number; read: number } | null = null;
  let asking: Promise<number[]> | null = null;
  let maxMb = 0;
  while (run.endedAt === null) {
    await sleep(pollMs);
    run = await askAt(address, `${path}/syncs/${id}`, { token });
    maxMb = Math.max(maxMb, server.memoryMb());
    if (run.read === 0) continue;
    readFrom ??= { atMs: performance.now(), read: run.read };
    asking ??= askSteadily(asked, () => run.endedAt !== null);
  }
  const endedAt = performance.now();
  const latenciesMs = await asking;
  if (run.status !== "completed" || readFrom === null || latenciesMs === null)
    throw new Error(`the sync was ${JSON.stringify(run)}`);
  const share = (run.read - readFrom.read) / run.read;
  const seconds = (endedAt - readFrom.atMs) / 1_000 / share;
  return { run, seconds, wholeSeconds: (endedAt - startedAt) / 1_000, maxMb, latenciesMs };
}

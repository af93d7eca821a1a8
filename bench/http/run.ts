/**
 * GET /v1/users/me and GET /v1/calls (50 of 1,000) against bare Fastify returning the same JSON, and against pgbench
 * sending the endpoint's own statements. Rounds are interleaved, so that each side gets the same conditions. `node
 * bench/http/run.ts [rounds]`
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { startEmbeddedPostgres } from "../../apps/server/src/db/embedded/start-embedded-postgres.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { askAt, signUp } from "../../testing/sign-up.ts";
import { startApp } from "../../testing/start-app.ts";
import { median, writeResults } from "../write-results.ts";
import { pgbench } from "./pgbench.ts";
import { press } from "./press.ts";
import { seedCalls, statementsOf } from "./statements.ts";

const rounds = Number(process.argv[2] ?? 5);
const seconds = 3;
const connections = 16;
const paths = ["/v1/users/me", "/v1/calls"] as const;

const dataDir = mkdtempSync(join(tmpdir(), "leadline-bench-"));
const postgres = await startEmbeddedPostgres({ dataDir }, createLog("error"));
const app = await startApp({ env: { DATABASE_URL: postgres.url } });
const owner = new Pool({ connectionString: postgres.url, max: 1 });
let bare: ChildProcess | undefined;
try {
  await measure();
} finally {
  bare?.kill();
  await app.stop();
  await owner.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const { token } = await signUp(app.address, { organisation: "Bench" });
  const me = await askAt(app.address, "/v1/users/me", { token });
  await seedCalls(owner, { userId: me.id, organisationId: me.activeOrganisation.id, count: 1_000 });
  const calls = await askAt(app.address, "/v1/calls", { token });
  if (calls.length !== 50) throw new Error(`expected 50 calls, got ${calls.length}`);
  const bareAddress = await startBare({ "/v1/users/me": me, "/v1/calls": calls });
  const statements = await statementsOf(owner, { userId: me.id, organisationId: me.activeOrganisation.id });
  const headers = { authorization: `Bearer ${token}` };

  const perSecond = new Map<string, number[]>();
  const note = (side: string, value: number | null) => {
    if (value !== null) perSecond.set(side, [...(perSecond.get(side) ?? []), value]);
  };
  for (let round = -1; round < rounds; round += 1) {
    for (const path of paths) {
      const pressure = { connections, ms: seconds * 1000 };
      const ours = await press(new URL(`/api${path}`, app.address), { ...pressure, headers });
      const theirs = await press(new URL(path, bareAddress), pressure);
      const limit = await pgbench(postgres.url, { script: statements[path], connections, seconds });
      // The first round is a warm-up.
      if (round < 0) continue;
      note(`leadline ${path}`, ours.perSecond);
      note(`bare ${path}`, theirs.perSecond);
      note(`pgbench ${path}`, limit);
    }
  }

  const middle = (side: string) => median(perSecond.get(side) ?? []);
  const number = (value: number) => (Number.isNaN(value) ? "not installed" : String(Math.round(value)));
  const ratio = (value: number) => (Number.isNaN(value) ? "" : value.toFixed(2));
  writeResults("http", {
    what: `Requests a second on ${connections} connections, medians of ${rounds} interleaved rounds of ${seconds} s; ratios are Leadline's share of the other's.`,
    rows: [
      ["GET", "Leadline", "bare Fastify", "ratio", "pgbench, same statements", "ratio"],
      ...paths.map((path) => {
        const [ours, theirs, limit] = [middle(`leadline ${path}`), middle(`bare ${path}`), middle(`pgbench ${path}`)];
        return [path, number(ours), number(theirs), ratio(ours / theirs), number(limit), ratio(ours / limit)];
      }),
    ],
  });
}

async function startBare(answers: object): Promise<string> {
  bare = spawn(process.execPath, [join(import.meta.dirname, "bare-fastify.ts")], {
    env: { ...process.env, ANSWERS: JSON.stringify(answers) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (bare.stdout === null) throw new Error("the bare server has no output");
  const [line] = await once(bare.stdout, "data");
  return `http://127.0.0.1:${JSON.parse(String(line)).port}`;
}

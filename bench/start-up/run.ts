/**
 * From `npm start` to the line that says it is ready. first: no build, database or compiled code yet, as after `npm
 * ci`. later: the same again. `node bench/start-up/run.ts [rounds]`. It deletes and rebuilds apps/web/dist.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, writeResults } from "../write-results.ts";

const rounds = Number(process.argv[2] ?? 5);
const repository = fileURLToPath(new URL("../../", import.meta.url));

const first: number[] = [];
const later: number[] = [];
const loadBefore = loadavg()[0] ?? 0;
for (let round = 0; round < rounds; round += 1) {
  const folder = mkdtempSync(join(tmpdir(), "leadline-start-"));
  rmSync(join(repository, "apps/web/dist"), { recursive: true, force: true });
  first.push(await startAndStop(folder));
  later.push(await startAndStop(folder), await startAndStop(folder));
  rmSync(folder, { recursive: true, force: true });
}
const row = (name: string, values: number[]) => [
  name,
  ...[median(values), Math.min(...values), Math.max(...values)].map((ms) => String(Math.round(ms))),
];
writeResults("start-up", {
  what: `From npm start to ready, ms; ${rounds} rounds of one first and two later starts; load average before ${loadBefore.toFixed(1)}.`,
  rows: [["", "median", "least", "most"], row("first", first), row("later", later)],
});

async function startAndStop(folder: string): Promise<number> {
  const env = { ...process.env, PORT: "0", LOG_LEVEL: "error", DATA_DIR: join(folder, "data") };
  const startedMs = performance.now();
  const child = spawn("npm", ["start", "--silent"], {
    cwd: repository,
    env: { ...env, NODE_COMPILE_CACHE: join(folder, "compiled") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => chunk.includes("Leadline is ready") && resolve());
    child.once("exit", (code) => reject(new Error(`it ended with exit code ${code}`)));
  });
  const readyMs = performance.now() - startedMs;
  child.kill("SIGTERM");
  await exited;
  return readyMs;
}

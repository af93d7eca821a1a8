import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Outcome } from "./kill-at-each-step.ts";
import { pressMoney } from "./press.ts";
import { type Requests, until } from "./payers.ts";

interface Given {
  requests: Requests;
  databaseUrl: string;
  /** The embedded database's, which its owner starts again. */
  dataDir: string;
  payers: number;
  kills: number;
}

const betweenKillsMs = 5_000;

/** Kills Postgres again and again while payers top up and call. */
export async function killPostgres({ requests, databaseUrl, dataDir, payers, kills }: Given): Promise<Outcome> {
  const press = await pressMoney(requests, payers);
  const backAfterMs: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(betweenKillsMs);
    const killedAtMs = performance.now();
    process.kill(postmasterPid(dataDir), "SIGKILL");
    // What was acknowledged at that moment was committed before.
    await sleep(50);
    const before = press.acknowledgedAtMs.length;
    await until(async () => press.acknowledgedAtMs.length > before);
    backAfterMs.push((press.acknowledgedAtMs[before] ?? Number.NaN) - killedAtMs);
  }
  await sleep(betweenKillsMs);
  await press.stop();
  await until(async () => (await press.count(databaseUrl)).unbalanced === 0).catch(() => {});
  const slowest = Math.max(...backAfterMs) / 1_000;
  return {
    fault: `Postgres killed ${kills} times while ${payers} organisations top up and call: ${press.describeRefused()}; back after ${slowest.toFixed(1)} s at most`,
    acknowledged: press.acknowledgedAtMs.length,
    ...(await press.count(databaseUrl)),
  };
}

const postmasterPid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n", 1)[0]);

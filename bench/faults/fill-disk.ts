import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readOrMakePassword } from "../../apps/server/src/db/embedded/create-cluster.ts";
import { findLivePostmaster } from "../../apps/server/src/db/embedded/postmaster.ts";
import { startApp } from "../../testing/start-app.ts";
import type { Outcome } from "./kill-at-each-step.ts";
import { type Payer, requestsTo, type Requests, until } from "./payers.ts";
import { pressMoney } from "./press.ts";

const diskMb = 256;
const fullForMs = 8_000;
const betweenReadsMs = 100;

/** Fills the small disk of a server and its database while payers top up and call, and frees it again. */
export async function fillDisk({ payers, env }: { payers: number; env: Record<string, string> }): Promise<Outcome> {
  const disk = mkdtempSync(join(tmpdir(), "leadline-disk-"));
  // Only root may; its database runs as another user, who has to enter the folder.
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMb}m,mode=711`, "tmpfs", disk]);
  try {
    return await fillDiskOf({ disk, payers, env });
  } finally {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

async function fillDiskOf(given: { disk: string; payers: number; env: Record<string, string> }): Promise<Outcome> {
  const { disk, payers, env } = given;
  const dataDir = join(disk, "data");
  mkdirSync(dataDir, { mode: 0o711 });
  const app = await startApp({ env: { ...env, DATA_DIR: dataDir } });
  try {
    const requests = requestsTo(app.address);
    const reader = await requests.newPayer();
    const press = await pressMoney(requests, payers);
    await sleep(3_000);
    const ballast = join(disk, "ballast");
    fill(ballast);
    const reads = await readMeanwhile(requests, reader);
    rmSync(ballast);
    const freedAtMs = performance.now();
    const before = press.acknowledgedAtMs.length;
    await until(async () => press.acknowledgedAtMs.length > before);
    const backAfterMs = (press.acknowledgedAtMs[before] ?? Number.NaN) - freedAtMs;
    await sleep(3_000);
    await press.stop();
    const databaseUrl = urlOf(dataDir);
    await until(async () => (await press.count(databaseUrl)).unbalanced === 0).catch(() => {});
    return {
      fault: `disk of ${diskMb} MB full for ${fullForMs / 1_000} s while ${payers} organisations top up and call: ${press.describeRefused()}; ${reads.answered} of ${reads.asked} reads answered; back ${(backAfterMs / 1_000).toFixed(1)} s after it was freed`,
      acknowledged: press.acknowledgedAtMs.length,
      ...(await press.count(databaseUrl)),
    };
  } finally {
    await app.stop();
  }
}

/** Until nothing more fits: first large pieces, then small ones. */
function fill(file: string): void {
  const handle = openSync(file, "w");
  for (const bytes of [1 << 20, 1 << 12])
    for (const piece = Buffer.alloc(bytes, 1); ;)
      try {
        writeSync(handle, piece);
      } catch {
        break;
      }
  closeSync(handle);
}

async function readMeanwhile({ ask }: Requests, reader: Payer): Promise<{ asked: number; answered: number }> {
  const untilMs = performance.now() + fullForMs;
  let [asked, answered] = [0, 0];
  while (performance.now() < untilMs) {
    const { status } = await ask(reader, "/v1/billing/summary").catch(() => ({ status: 0 }));
    asked += 1;
    answered += status === 200 ? 1 : 0;
    await sleep(betweenReadsMs);
  }
  return { asked, answered };
}

function urlOf(dataDir: string): string {
  const port = findLivePostmaster(join(dataDir, "postgres"))?.port;
  return `postgres://leadline:${readOrMakePassword(dataDir)}@127.0.0.1:${port}/leadline`;
}

/**
 * Calls on one core before audio is lost: increasing numbers on the app's media thread, on an rtpengine behind the app,
 * and on that rtpengine alone. What carries the audio has core 0 to itself, everything else shares core 1. Linux with
 * two cores. `npm run media-to-loss -w bench`, or `node bench/media-to-loss/run.ts [most calls] [calls a step]`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";

import { fetchPeers } from "@leadline/carrier-sip-trunk/testing/fetch-peers";
import { peersIn } from "@leadline/carrier-sip-trunk/testing/peers-in";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";

import { appWith, bareRtpengine, type MeasuredSystem } from "../media/systems.ts";
import { climb, type Climb } from "./climb.ts";
import { pinProcess, pinThread } from "./pin.ts";
import { writeClimbs } from "./write-climbs.ts";

const most = Number(process.argv[2] ?? 250);
const stride = Number(process.argv[3] ?? 50);
const first = Math.min(100, most);
const sizes = Array.from({ length: 1 + Math.floor((most - first) / stride) }, (_, step) => first + step * stride);
const mediaCore = 0;
const otherCore = 1;

const loadBefore = loadavg()[0] ?? 0;
// Child processes inherit this.
pinProcess(process.pid, otherCore);
const peers = await fetchPeers();
const folder = mkdtempSync(join(tmpdir(), "leadline-bench-"));
const started = await startRtpengine(peersIn(peers.root), { folder, mediaPorts: 4_000 });
const rtpengine = { port: started.port, pid: started.process.pid ?? 0 };
pinProcess(rtpengine.pid, mediaCore);

async function openApp(): Promise<MeasuredSystem> {
  const app = await appWith(most, []);
  pinThread(app.pid, "media", mediaCore);
  return app;
}
const systems: [name: string, open: () => Promise<MeasuredSystem>][] = [
  ["Leadline, its media thread", openApp],
  ["Leadline, rtpengine", () => appWith(most, [rtpengine])],
  ["rtpengine alone", () => bareRtpengine(rtpengine)],
];

try {
  const climbs: (Climb & { name: string })[] = [];
  for (const [name, open] of systems) {
    const system = await open();
    try {
      climbs.push({ name, ...(await climb(system, sizes)) });
    } finally {
      await system.close();
    }
  }
  writeClimbs(climbs, { loadBefore });
} finally {
  await started.stop();
  await peers.remove();
  rmSync(folder, { recursive: true });
}

/**
 * This many simultaneous sandbox calls, half of the callees speak, half echo: through the whole app with its own media
 * plane, through the whole app with an rtpengine, and through that rtpengine alone. The browsers are in load.ts, a
 * separate process. `node bench/media/run.ts [calls…]`; 50 and 100 by default. Debian's rtpengine is fetched if it
 * isn't installed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchPeers } from "@leadline/carrier-sip-trunk/testing/fetch-peers";
import { peersIn } from "@leadline/carrier-sip-trunk/testing/peers-in";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { writeResults } from "../write-results.ts";
import { measureCalls } from "./measure-calls.ts";
import { appWith, bareRtpengine, type MeasuredSystem } from "./systems.ts";

const asked = process.argv.slice(2).map(Number);
const sizes = asked.length > 0 ? asked : [50, 100];
const peers = await fetchPeers();
const folder = mkdtempSync(join(tmpdir(), "leadline-bench-"));
const { process: rtpengineProcess, port, stop } = await startRtpengine(peersIn(peers.root), { folder });
const rtpengine = { port, pid: rtpengineProcess.pid ?? 0 };
const systems: [name: string, open: () => Promise<MeasuredSystem>][] = [
  ["app", () => appWith(Math.max(...sizes), [])],
  ["app, rtpengine", () => appWith(Math.max(...sizes), [rtpengine])],
  ["rtpengine alone", () => bareRtpengine(rtpengine)],
];

try {
  const runs: (Awaited<ReturnType<typeof measureCalls>> & { name: string })[] = [];
  for (const [name, open] of systems) {
    const system = await open();
    try {
      for (const size of sizes) runs.push({ name, ...(await measureCalls(system, size)) });
    } finally {
      await system.close();
    }
  }
  const row = (name: string, of: (run: (typeof runs)[number]) => string | number) => [
    name,
    ...runs.map((run) => String(of(run))),
  ];
  const perCall = (share: number, calls: number) =>
    Number.isNaN(share) ? "unknown" : ((100 * share) / calls).toFixed(2);
  writeResults("media", {
    what:
      "Sandbox calls at once, half to the callee that speaks, half to the one that echoes: through the whole app with its own " +
      "media plane, with an rtpengine (without its kernel module), and through that rtpengine alone. The browsers are " +
      "one process that decrypts and judges every packet; where its own lateness is near the jitter, the jitter is its own.",
    rows: [
      row("what carries the calls", ({ name }) => name),
      row("calls", ({ calls }) => calls),
      row("packets expected", ({ calls, seconds }) => Math.round(calls * 50 * seconds)),
      row("packets heard", ({ heard }) => heard.received),
      row("lost on the way to the browser", ({ heard }) => heard.lost),
      row("lost on the way to the callee (of the echoed half)", ({ heard }) => heard.lostThere),
      row("calls without sound", ({ heard }) => heard.silentCalls),
      row("jitter (RFC 3550), p99 of the calls, ms", ({ heard }) => heard.jitterP99Ms.toFixed(1)),
      row("distance of arrivals from 20 ms, p99, ms", ({ heard }) => heard.arrivalP99Ms.toFixed(1)),
      row("browser to callee and back, p99, ms", ({ heard }) => heard.echoP99Ms.toFixed(1)),
      row("GET /v1/users/me, p99, ms", ({ userP99Ms }) => userP99Ms.toFixed(1)),
      row("media thread, % of a core a call", ({ mediaShare, calls }) => perCall(mediaShare, calls)),
      row("rtpengine, % of a core a call", ({ mediaServersShare, calls }) => perCall(mediaServersShare, calls)),
      row("callees' thread, % of a core a call", ({ calleesShare, calls }) => perCall(calleesShare, calls)),
      row("whole app without its database, % of a core a call", ({ appShare, calls }) => perCall(appShare, calls)),
      row("the browsers' process: late by, p99, ms", ({ heard }) => heard.eventLoopP99Ms.toFixed(1)),
      row("the browsers' process, % of a core a call", ({ heard, calls }) => perCall(heard.cpuShare, calls)),
      row("load average before", ({ loadBefore }) => loadBefore.toFixed(1)),
    ],
  });
} finally {
  await stop();
  await peers.remove();
  rmSync(folder, { recursive: true });
}

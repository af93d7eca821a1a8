/**
 * That many sandbox calls at once through the real app, each by a person who is signed in; half of the callees speak, half echo.
 * The browsers live in load.ts, a process of its own. `node bench/media/run.ts [calls…]`; 50 and 100 without arguments.
 */
import { startApp } from "../../e2e/support/start-app.ts";
import { writeResults } from "../write-results.ts";
import { signUpCallers } from "./callers.ts";
import { measureCalls } from "./measure-calls.ts";

const asked = process.argv.slice(2).map(Number);
const sizes = asked.length > 0 ? asked : [50, 100];
const app = await startApp({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
try {
  const callers = await signUpCallers(app.address, Math.max(...sizes));
  const runs: Awaited<ReturnType<typeof measureCalls>>[] = [];
  for (const size of sizes) runs.push(await measureCalls(app, callers.slice(0, size)));
  const row = (name: string, of: (run: (typeof runs)[number]) => string | number) => [
    name,
    ...runs.map((run) => String(of(run))),
  ];
  const perCall = (share: number, calls: number) =>
    Number.isNaN(share) ? "unknown" : ((100 * share) / calls).toFixed(2);
  writeResults("media", {
    what:
      "Sandbox calls at once, half to the callee that speaks, half to the one that echoes, through the whole app. The browsers are " +
      "one process that decrypts and judges every packet; where its own lateness is near the jitter, the jitter is its own.",
    rows: [
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
      row("callees' thread, % of a core a call", ({ calleesShare, calls }) => perCall(calleesShare, calls)),
      row("whole app without its database, % of a core a call", ({ appShare, calls }) => perCall(appShare, calls)),
      row("the browsers' process: late by, p99, ms", ({ heard }) => heard.eventLoopP99Ms.toFixed(1)),
      row("the browsers' process, % of a core a call", ({ heard, calls }) => perCall(heard.cpuShare, calls)),
      row("load average before", ({ loadBefore }) => loadBefore.toFixed(1)),
    ],
  });
} finally {
  await app.stop();
}

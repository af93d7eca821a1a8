import { fork } from "node:child_process";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { askAt } from "../../e2e/support/sign-up.ts";
import type { RunningApp } from "../../e2e/support/start-app.ts";
import { percentile } from "../write-results.ts";
import type { Caller } from "./callers.ts";
import type { FromLoad, LoadResult, ToLoad } from "./messages.ts";
import { readThreadCpu } from "./thread-cpu.ts";

const measuredSeconds = 15;
const settleMs = 3_000;
const callEveryMs = 60;
const askEveryMs = 25;
const speaks = "+12025550100";
const echoes = "+12025550101";
const isEchoed = (index: number): boolean => index % 2 === 1;

/** That many calls at once, half of them to the sandbox's callee that speaks and half to the one that echoes; judged for 15 s once all of them run. */
export async function measureCalls(app: RunningApp, callers: readonly Caller[]) {
  const loadBefore = loadavg()[0] ?? 0;
  const load = fork(new URL("load.ts", import.meta.url));
  const tell = (message: ToLoad): boolean => load.send(message);
  const callSids: string[] = [];
  const allStarted = Promise.withResolvers<void>();
  const judged = Promise.withResolvers<LoadResult>();
  load.once("exit", (code) => allStarted.reject(new Error(`the load process ended (exit code ${code})`)));

  async function startCall(index: number, offer: string): Promise<void> {
    const body = { phoneNumber: isEchoed(index) ? echoes : speaks, offer };
    const { callSid, answer } = await askAt(app.address, "/v1/calls", { body, token: callers[index]?.token ?? "" });
    tell({ type: "answer", index, answer });
    callSids[index] = callSid;
    if (Object.keys(callSids).length === callers.length) allStarted.resolve();
  }

  load.on("message", (message: FromLoad) => {
    if (message.type === "result") judged.resolve(message);
    else startCall(message.index, message.offer).catch(allStarted.reject);
  });
  try {
    for (let index = 0; index < callers.length; index++) {
      tell({ type: "open", index, echoed: isEchoed(index) });
      await sleep(callEveryMs);
    }
    await allStarted.promise;
    await sleep(settleMs);

    const before = { cpu: readThreadCpu(app.pid), atMs: performance.now() };
    tell({ type: "start" });
    const latenciesMs = await askSteadily(app.address, callers[0]?.token ?? "");
    tell({ type: "judge" });
    const seconds = (performance.now() - before.atMs) / 1000;
    const cpu = readThreadCpu(app.pid);
    const share = (thread: string): number => ((cpu.get(thread) ?? NaN) - (before.cpu.get(thread) ?? 0)) / seconds;
    const sum = (all: Map<string, number>): number => [...all.values()].reduce((total, each) => total + each, 0);
    const heard = await judged.promise;
    for (const [index, callSid] of callSids.entries()) {
      await askAt(app.address, `/v1/calls/${callSid}/hang-up`, { method: "POST", token: callers[index]?.token ?? "" });
    }
    return {
      calls: callers.length,
      heard,
      seconds,
      mediaShare: share("media"),
      calleesShare: share("callees"),
      appShare: (sum(cpu) - sum(before.cpu)) / seconds,
      userP99Ms: percentile(latenciesMs, 0.99),
      loadBefore,
    };
  } finally {
    load.removeAllListeners("exit");
    load.kill();
  }
}

/** One request each 25 ms, whether or not the one before it has been answered. */
async function askSteadily(address: string, token: string): Promise<number[]> {
  const asked: Promise<number>[] = [];
  const startedMs = performance.now();
  for (let dueMs = startedMs; dueMs < startedMs + measuredSeconds * 1000; dueMs += askEveryMs) {
    await sleep(Math.max(0, dueMs - performance.now()));
    const askedMs = performance.now();
    asked.push(askAt(address, "/v1/users/me", { token }).then(() => performance.now() - askedMs));
  }
  return Promise.all(asked);
}

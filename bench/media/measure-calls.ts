import { fork } from "node:child_process";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { percentile } from "../write-results.ts";
import type { MeasuredSystem } from "./systems.ts";
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
export async function measureCalls(system: MeasuredSystem, calls: number) {
  const loadBefore = loadavg()[0] ?? 0;
  const load = fork(new URL("load.ts", import.meta.url));
  const tell = (message: ToLoad): boolean => load.send(message);
  let started = 0;
  const allStarted = Promise.withResolvers<void>();
  const judged = Promise.withResolvers<LoadResult>();
  load.once("exit", (code) => allStarted.reject(new Error(`the load process ended (exit code ${code})`)));

  async function startCall(index: number, offer: string): Promise<void> {
    const answer = await system.start(index, { phoneNumber: isEchoed(index) ? echoes : speaks, offer });
    tell({ type: "answer", index, answer });
    if (++started === calls) allStarted.resolve();
  }

  const sumOf = (all: Map<string, number>): number => [...all.values()].reduce((total, each) => total + each, 0);
  const mediaSeconds = (): number => system.mediaPids.reduce((total, pid) => total + sumOf(readThreadCpu(pid)), 0);

  load.on("message", (message: FromLoad) => {
    if (message.type === "result") judged.resolve(message);
    else startCall(message.index, message.offer).catch(allStarted.reject);
  });
  try {
    for (let index = 0; index < calls; index++) {
      tell({ type: "open", index, echoed: isEchoed(index) });
      await sleep(callEveryMs);
    }
    await allStarted.promise;
    await sleep(settleMs);

    const before = { cpu: readThreadCpu(system.pid), media: mediaSeconds(), atMs: performance.now() };
    tell({ type: "start" });
    const latenciesMs = await askSteadily(system.ask);
    tell({ type: "judge" });
    const seconds = (performance.now() - before.atMs) / 1000;
    const cpu = readThreadCpu(system.pid);
    const mediaServersShare = (mediaSeconds() - before.media) / seconds;
    const share = (thread: string): number => ((cpu.get(thread) ?? NaN) - (before.cpu.get(thread) ?? 0)) / seconds;
    const heard = await judged.promise;
    await system.stopAll();
    return {
      calls,
      heard,
      seconds,
      mediaShare: share("media"),
      mediaServersShare,
      calleesShare: share("callees"),
      appShare: (sumOf(cpu) - sumOf(before.cpu)) / seconds,
      userP99Ms: percentile(latenciesMs, 0.99),
      loadBefore,
    };
  } finally {
    load.removeAllListeners("exit");
    load.kill();
  }
}

/** One request each 25 ms, whether or not the one before it has been answered. */
async function askSteadily(ask: () => Promise<unknown>): Promise<number[]> {
  const asked: Promise<number>[] = [];
  const startedMs = performance.now();
  for (let dueMs = startedMs; dueMs < startedMs + measuredSeconds * 1000; dueMs += askEveryMs) {
    await sleep(Math.max(0, dueMs - performance.now()));
    const askedMs = performance.now();
    asked.push(ask().then(() => performance.now() - askedMs));
  }
  return Promise.all(asked);
}

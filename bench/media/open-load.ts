import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

import { percentile } from "../write-results.ts";
import type { FromLoad, LoadResult, ToLoad } from "./messages.ts";
import type { MeasuredSystem } from "./systems.ts";
import { readThreadCpu } from "./thread-cpu.ts";

const callEveryMs = 60;
const askEveryMs = 25;
const speaks = "+12025550100";
const echoes = "+12025550101";
const isEchoed = (index: number): boolean => index % 2 === 1;

/**
 * Browsers in a separate process, each in a call through the system. One pair in this many decrypts what it receives,
 * the others count headers.
 */
export function openLoad(system: MeasuredSystem, { openedEach = 1 }: { openedEach?: number } = {}) {
  const load = fork(new URL("load.ts", import.meta.url));
  const send = (message: ToLoad): boolean => load.send(message);
  let calls = 0;
  let started = 0;
  let adding = Promise.withResolvers<void>();
  let judging = Promise.withResolvers<LoadResult>();
  load.once("exit", (code) => adding.reject(new Error(`the load process ended (exit code ${code})`)));

  async function startCall(index: number, offer: string): Promise<void> {
    const answer = await system.start(index, { phoneNumber: isEchoed(index) ? echoes : speaks, offer });
    send({ type: "answer", index, answer });
    if (++started === calls) adding.resolve();
  }

  load.on("message", (message: FromLoad) => {
    if (message.type === "result") judging.resolve(message);
    else startCall(message.index, message.offer).catch(adding.reject);
  });

  const sumOf = (all: Map<string, number>): number => [...all.values()].reduce((total, each) => total + each, 0);
  const mediaSeconds = (): number => system.mediaPids.reduce((total, pid) => total + sumOf(readThreadCpu(pid)), 0);

  return {
    /** More calls, one every 60 ms; resolves when they have started. */
    async add(more: number): Promise<void> {
      adding = Promise.withResolvers();
      // A failure is reported at the end, when all have been requested.
      adding.promise.catch(() => {});
      const first = calls;
      calls += more;
      for (let index = first; index < calls; index++) {
        send({
          type: "open",
          index,
          echoed: isEchoed(index),
          unopened: Math.floor(index / 2) % openedEach > 0,
        });
        await sleep(callEveryMs);
      }
      await adding.promise;
    },
    /** For as long as the next measurement takes: encrypts what will be sent during it. */
    async prepare(forSeconds: number): Promise<void> {
      send({ type: "prepare" });
      await sleep(forSeconds * 1000);
    },
    /** What arrives in this time, and its cost. Shares are of one core. */
    async judge(forSeconds: number) {
      judging = Promise.withResolvers();
      const before = { cpu: readThreadCpu(system.pid), media: mediaSeconds(), atMs: performance.now() };
      send({ type: "start" });
      const latenciesMs = await askSteadily(system.ask, forSeconds);
      send({ type: "judge" });
      const seconds = (performance.now() - before.atMs) / 1000;
      const cpu = readThreadCpu(system.pid);
      const mediaServersShare = (mediaSeconds() - before.media) / seconds;
      const share = (thread: string): number => ((cpu.get(thread) ?? NaN) - (before.cpu.get(thread) ?? 0)) / seconds;
      return {
        heard: await judging.promise,
        seconds,
        mediaShare: share("media"),
        mediaServersShare,
        calleesShare: share("callees"),
        appShare: (sumOf(cpu) - sumOf(before.cpu)) / seconds,
        userP99Ms: percentile(latenciesMs, 0.99),
      };
    },
    close(): void {
      load.removeAllListeners("exit");
      load.kill();
    },
  };
}

/** One request every 25 ms, whether or not the previous one has been answered. */
async function askSteadily(ask: () => Promise<unknown>, forSeconds: number): Promise<number[]> {
  const asked: Promise<number>[] = [];
  const startedMs = performance.now();
  for (let dueMs = startedMs; dueMs < startedMs + forSeconds * 1000; dueMs += askEveryMs) {
    await sleep(Math.max(0, dueMs - performance.now()));
    const askedMs = performance.now();
    asked.push(ask().then(() => performance.now() - askedMs));
  }
  return Promise.all(asked);
}

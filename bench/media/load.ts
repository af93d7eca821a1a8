/** The browsers of bench/media, in a separate process that also reports its own delays. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

import { silence } from "@leadline/adapter-kit/rtp/g711";
import { raiseThreadPriority } from "@leadline/adapter-kit/rtp/raise-thread-priority";
import { startTicker, tickMs } from "@leadline/adapter-kit/rtp/ticker";

import { type LeanBrowser, openLeanBrowser } from "../../apps/server/src/testing/media/lean-browser.ts";
import { percentile } from "../write-results.ts";
import { createJudge, type Judge } from "./judge.ts";
import type { FromLoad, LoadResult, ToLoad } from "./messages.ts";
import { createNumberedSound } from "./numbered-audio.ts";

// The measuring process must have smaller delays than the measured one.
raiseThreadPriority();
const browsers = new Map<number, LeanBrowser>();
const judges: Judge[] = [];
const unopened: LeanBrowser[] = [];
const loopDelay = monitorEventLoopDelay({ resolution: 1 });
let startedMs = 0;
let cpuAtStart = process.cpuUsage();

/** Microphones have their own clocks: a quarter of the browsers sends every 5 ms. */
const groups = 4;
for (let group = 0; group < groups; group++) {
  startTicker(() => {
    for (const [index, browser] of browsers) if (index % groups === group) browser.tick();
  });
  await sleep(tickMs / groups);
}

function send(message: FromLoad): void {
  process.send?.(message);
}

function judgeAll(): LoadResult {
  const heard = judges.map((each) => each.result());
  const { user, system } = process.cpuUsage(cpuAtStart);
  return {
    type: "result",
    received: heard.reduce((sum, each) => sum + each.received, 0),
    lost: heard.reduce((sum, each) => sum + each.lost, 0),
    late: heard.reduce((sum, each) => sum + each.late, 0),
    echoed: heard.reduce((sum, each) => sum + each.echoMs.length, 0),
    lostThere: heard.reduce((sum, each) => sum + each.lostThere, 0),
    echoP99Ms: percentile(
      heard.flatMap(({ echoMs }) => echoMs),
      0.99,
    ),
    jitterP99Ms: percentile(
      heard.map(({ jitterMs }) => jitterMs),
      0.99,
    ),
    arrivalP99Ms: percentile(
      heard.flatMap(({ deviationsMs }) => deviationsMs),
      0.99,
    ),
    silentCalls: heard.filter(({ spoken }) => !spoken).length,
    eventLoopP99Ms: loopDelay.percentile(99) / 1e6,
    cpuShare: (user + system) / 1e3 / (performance.now() - startedMs),
  };
}

async function handle(message: ToLoad): Promise<void> {
  if (message.type === "open") {
    const sound = message.echoed ? createNumberedSound() : null;
    const judge = createJudge(sound);
    judges.push(judge);
    const nextSound = (): Buffer => sound?.next() ?? silence.PCMU;
    const onHeader = message.unopened ? judge.noteHeader : undefined;
    const browser = await openLeanBrowser({ nextSound, onPacket: judge.note, onHeader });
    browsers.set(message.index, browser);
    if (message.unopened) unopened.push(browser);
    send({ type: "offer", index: message.index, offer: browser.offer });
  } else if (message.type === "answer") {
    await browsers.get(message.index)?.acceptAnswer(message.answer);
  } else if (message.type === "prepare") {
    for (const browser of unopened) browser.encryptAhead(true);
  } else if (message.type === "start") {
    for (const browser of unopened) browser.encryptAhead(false);
    for (const each of judges) each.start();
    loopDelay.reset();
    loopDelay.enable();
    startedMs = performance.now();
    cpuAtStart = process.cpuUsage();
  } else {
    loopDelay.disable();
    send(judgeAll());
  }
}

process.on("disconnect", () => process.exit());
process.on("message", (message: ToLoad) => void handle(message));

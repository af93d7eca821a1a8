/**
 * `node bench/media/measure.ts [calls…]`, 50 and 100 without arguments: that many sandbox calls at once through the media plane.
 * This process holds what the server would: the media plane and the sandbox's callees; the browsers live in load.ts.
 */
import { fork } from "node:child_process";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { createWeriftMediaPlane } from "../../apps/server/src/media-plane/werift-media-plane.ts";
import { carrier as sandbox } from "../../carriers/sandbox/server.ts";
import type { FromLoad, LoadResult, ToLoad } from "./messages.ts";

const measuredSeconds = 15;

async function measure(calls: number): Promise<object> {
  const plane = await createWeriftMediaPlane();
  const carrier = await sandbox.open({});
  const load = fork(new URL("load.ts", import.meta.url));
  const tell = (message: ToLoad): boolean => load.send(message);
  const legIds: string[] = [];
  const connected = new Set<string>();
  const allConnected = new Promise<void>((resolve) => {
    plane.onBrowserLegState(({ legId, state }) => {
      if (state === "connected" && connected.add(legId).size === calls) resolve();
    });
  });

  const result = new Promise<LoadResult>((resolve) => {
    load.on("message", async (message: FromLoad) => {
      if (message.type === "result") return resolve(message);
      const [browser, far] = await Promise.all([plane.openBrowserLeg(message.offer), plane.openCarrierLeg()]);
      await plane.bridge(browser.legId, far.legId);
      legIds.push(browser.legId, far.legId);
      tell({ type: "answer", index: message.index, answer: browser.answer });
      await carrier.dial({
        callSid: `CA${message.index}`,
        to: "+12025550100",
        callerId: null,
        offer: far.offer,
        onEvent: (event) => {
          if (event.type === "answered") void plane.acceptCarrierAnswer(far.legId, event.answer);
        },
      });
    });
  });

  for (let index = 0; index < calls; index++) {
    tell({ type: "open", index });
    await sleep(60);
  }
  await allConnected;
  await sleep(2_000);

  tell({ type: "start" });
  const lostBefore = await lostOnTheWayIn();
  const before = process.cpuUsage();
  await sleep(measuredSeconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  const lostThere = (await lostOnTheWayIn()) - lostBefore;
  tell({ type: "judge" });
  const heard = await result;

  async function lostOnTheWayIn(): Promise<number> {
    const stats = await Promise.all(legIds.map((legId) => plane.stats(legId)));
    return stats.reduce((sum, each) => sum + (each?.packetsLost ?? 0), 0);
  }

  load.kill();
  await carrier.close();
  await plane.shutDown();
  const cpuShare = (user + system) / 1e6 / measuredSeconds;
  return {
    calls,
    "packets heard": heard.received,
    expected: calls * 50 * measuredSeconds,
    "lost to browsers": heard.lost,
    "lost on the way in": lostThere,
    "calls without sound": heard.silentCalls,
    "jitter p99, ms": Number(heard.jitterP99Ms.toFixed(1)),
    // Above the number of cores, other work was running and the figures tell of it, not of us.
    "load average": Number((loadavg()[0] ?? 0).toFixed(1)),
    "CPU a call, % of a core": Number(((100 * cpuShare) / calls).toFixed(2)),
  };
}

const sizes = process.argv.slice(2).map(Number);
const rows: object[] = [];
for (const calls of sizes.length > 0 ? sizes : [50, 100]) rows.push(await measure(calls));
console.table(rows);

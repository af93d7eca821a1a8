import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { openLoad } from "./open-load.ts";
import type { MeasuredSystem } from "./systems.ts";

const measuredSeconds = 15;
const settleMs = 3_000;

/**
 * This many simultaneous calls, half of them to the sandbox's callee that speaks and half to the one that echoes;
 * measured for 15 s once all are running.
 */
export async function measureCalls(system: MeasuredSystem, calls: number) {
  const loadBefore = loadavg()[0] ?? 0;
  const load = openLoad(system);
  try {
    await load.add(calls);
    await sleep(settleMs);
    const judged = await load.judge(measuredSeconds);
    await system.stopAll();
    return { calls, ...judged, loadBefore };
  } finally {
    load.close();
  }
}

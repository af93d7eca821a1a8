import { performance } from "node:perf_hooks";

export const tickMs = 20;
/** After a stall longer than this the lost ticks are left out: a burst of old sound helps nobody. */
const longestCatchUpMs = 200;

/**
 * One clock for every stream of a thread: a tick each 20 ms on the monotonic clock. Each wake-up is aimed at the tick's own
 * due time, so lateness never adds up; a late one is followed at once by those it delayed.
 */
export function startTicker(onTick: () => void): { stop(): void } {
  let dueMs = performance.now() + tickMs;
  let timer = setTimeout(run, tickMs);

  function run(): void {
    const nowMs = performance.now();
    if (nowMs - dueMs > longestCatchUpMs) dueMs = nowMs;
    while (dueMs <= nowMs) {
      dueMs += tickMs;
      onTick();
    }
    timer = setTimeout(run, Math.max(1, dueMs - performance.now()));
  }

  return { stop: () => clearTimeout(timer) };
}

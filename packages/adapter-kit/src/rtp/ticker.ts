import { performance } from "node:perf_hooks";

export const tickMs = 20;
/** After a stall longer than this, the missed ticks are skipped: a burst of old audio is useless. */
const longestCatchUpMs = 200;

/**
 * One clock for every stream of a thread: a tick every 20 ms on the monotonic clock. Each wake-up targets the tick's
 * own due time, so delays don't add up; a late tick is followed immediately by those that it delayed.
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

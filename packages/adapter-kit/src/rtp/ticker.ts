export const tickMs = 20;
/** After a stall longer than this, the missed ticks are skipped: a burst of old audio is useless. */
const longestCatchUpMs = 200;

/**
 * One clock for every stream of a thread: a tick every 20 ms on the monotonic clock. Each wake-up targets the tick's
 * own due time, so delays don't add up; a late tick is followed immediately by those that it delayed. The first is due
 * at once. A thread without streams stops the clock and starts it with the next stream, so an idle server sleeps.
 */
export function startTicker(onTick: () => void): { start(): void; stop(): void } {
  let dueMs = 0;
  let timer: NodeJS.Timeout | null = null;

  /** A tick may stop the clock. */
  const isRunning = (): boolean => timer !== null;

  function run(): void {
    const nowMs = performance.now();
    if (nowMs - dueMs > longestCatchUpMs) dueMs = nowMs;
    while (isRunning() && dueMs <= nowMs) {
      dueMs += tickMs;
      onTick();
    }
    if (timer === null) return;
    clearTimeout(timer);
    timer = setTimeout(run, Math.max(1, dueMs - performance.now()));
  }

  function start(): void {
    if (timer !== null) return;
    dueMs = performance.now();
    timer = setTimeout(run, 0);
  }

  start();
  return {
    start,
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

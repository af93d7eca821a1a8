import { setTimeout as sleep } from "node:timers/promises";

/**
 * Keeps calls through a carrier apart, even if a busy process fires their timers late and all at once. Each waits until
 * `gapMs` after the one before it has left. Resolves to when it leaves, by performance.now().
 */
export function createDepartures(): (carrierId: string, gapMs: number) => Promise<number> {
  const lastMs = new Map<string, number>();
  return async (carrierId, gapMs) => {
    for (;;) {
      const nowMs = performance.now();
      const restMs = (lastMs.get(carrierId) ?? -Infinity) + gapMs - nowMs;
      if (restMs <= 0) {
        lastMs.set(carrierId, nowMs);
        return nowMs;
      }
      await sleep(restMs, undefined, { ref: false });
    }
  };
}

import { setTimeout as sleep } from "node:timers/promises";

/**
 * Keeps the calls through a carrier apart, even if a busy process fires their timers late and all at once. They leave in
 * the order in which they ask, each `gapMs` after the one before it at the earliest. Resolves to when the call leaves, by
 * performance.now().
 */
export function createKeepApart(): (carrierId: string, gapMs: number) => Promise<number> {
  const last = new Map<string, Promise<number>>();
  return (carrierId, gapMs) => {
    const leaving = leaveAfter(last.get(carrierId), gapMs);
    last.set(carrierId, leaving);
    return leaving;
  };
}

async function leaveAfter(before: Promise<number> | undefined, gapMs: number): Promise<number> {
  const earliestMs = before === undefined ? -Infinity : (await before) + gapMs;
  for (;;) {
    const nowMs = performance.now();
    if (nowMs >= earliestMs) return nowMs;
    await sleep(earliestMs - nowMs, undefined, { ref: false });
  }
}

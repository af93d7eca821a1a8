import { expect, test, vi } from "vitest";
import { startTicker, tickMs } from "./ticker.ts";

test("ticks at once and every 20 ms, stops within a tick, and ticks again once started", () => {
  vi.useFakeTimers();
  let ticks = 0;
  let streams = 1;
  const ticker = startTicker(() => {
    ticks += 1;
    if (streams === 0) ticker.stop();
  });
  vi.advanceTimersByTime(10 * tickMs);
  expect(ticks).toBe(11);
  streams = 0;
  vi.advanceTimersByTime(10 * tickMs);
  expect([ticks, vi.getTimerCount()]).toEqual([12, 0]);
  streams = 1;
  ticker.start();
  ticker.start();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(10 * tickMs);
  expect(ticks).toBe(23);
  ticker.stop();
  vi.useRealTimers();
});

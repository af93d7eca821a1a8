import { expect, it, onTestFinished, vi } from "vitest";

import { createSessionTimer } from "./session-timer.ts";

it.each([
  ["ends the call", "expire", false, 68],
  ["proves that it is alive", "refresh", true, 50],
] as const)("%s when the last refresh is due, not an earlier one", (_, action, weRefresh, dueSeconds) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const actions = { refresh: vi.fn<() => void>(), expire: vi.fn<() => void>() };
  const timer = createSessionTimer(actions);
  timer.set({ seconds: 100, weRefresh });
  vi.advanceTimersByTime(40_000);
  timer.set({ seconds: 100, weRefresh });
  vi.advanceTimersByTime(dueSeconds * 1000 - 1);
  expect(actions[action]).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(actions[action]).toHaveBeenCalledOnce();
  timer.set({ seconds: 100, weRefresh });
  timer.stop();
  vi.advanceTimersByTime(100_000);
  expect(actions.refresh.mock.calls.length + actions.expire.mock.calls.length).toBe(1);
});

import { expect, it, onTestFinished, vi } from "vitest";

import { createSessionTimer, readSessionExpires } from "./session-timer.ts";

it.each([
  ["1800;refresher=uac", 1_800],
  ["60;refresher=uac", 60],
  ["60", 60],
  ["5;refresher=uac", 10],
  ["60;refresher=uas", 90],
])("an answer with a session interval of %s means one of %i s", (header, seconds) => {
  expect(readSessionExpires(header, 1_800)?.seconds).toBe(seconds);
});

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

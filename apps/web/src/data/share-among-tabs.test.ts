// @vitest-environment node
import { expect, onTestFinished, test, vi } from "vitest";
import { joinTabs } from "./share-among-tabs.ts";

const watchEveryMs = 1_000;

test("a tab that slept waits for the leader before it takes over, and takes over from a silent one", async () => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const relieved = vi.fn<() => void>();
  const name = "leadline.events.slept";
  navigator.locks.request(name, () => new Promise(() => {})).catch(relieved);
  const group = joinTabs(
    { locks: navigator.locks, openChannel: (channel) => new BroadcastChannel(channel), impatientMs: 8_000 },
    { name, lead: () => () => {}, receive: () => "steady", greet() {} },
  );
  onTestFinished(() => {
    group.leave();
    vi.useRealTimers();
    clock.mockRestore();
  });
  async function watchAfter(ms: number): Promise<void> {
    nowMs += ms;
    vi.advanceTimersByTime(watchEveryMs);
    // A lock is granted within a few turns.
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
  }

  await watchAfter(60_000);
  expect(relieved).not.toHaveBeenCalled();
  for (let seconds = 0; seconds < 8; seconds++) await watchAfter(watchEveryMs);
  expect(relieved).not.toHaveBeenCalled();
  await watchAfter(watchEveryMs);
  expect(relieved).toHaveBeenCalledOnce();
});

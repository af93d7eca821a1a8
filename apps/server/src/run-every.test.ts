import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runEvery } from "./run-every.ts";

const everyMs = 1_000;
const noErrors = (error: unknown): never => {
  throw error;
};

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test("runs a round at each interval, and one at once if asked to", async () => {
  const rounds = { later: 0, atOnce: 0 };
  const stops = [
    runEvery(async () => rounds.later++, { everyMs, onError: noErrors }),
    runEvery(async () => rounds.atOnce++, { everyMs, atOnce: true, onError: noErrors }),
  ];
  expect(rounds).toEqual({ later: 0, atOnce: 1 });
  await vi.advanceTimersByTimeAsync(2 * everyMs);
  expect(rounds).toEqual({ later: 2, atOnce: 3 });
  await Promise.all(stops.map((stop) => stop()));
  await vi.advanceTimersByTimeAsync(2 * everyMs);
  expect(rounds).toEqual({ later: 2, atOnce: 3 });
});

test("starts no round while one is running", async () => {
  const rounds: PromiseWithResolvers<void>[] = [];
  const round = () => {
    const started = Promise.withResolvers<void>();
    rounds.push(started);
    return started.promise;
  };
  const stop = runEvery(round, { everyMs, onError: noErrors });
  await vi.advanceTimersByTimeAsync(3 * everyMs);
  expect(rounds).toHaveLength(1);
  rounds[0]?.resolve();
  await vi.advanceTimersByTimeAsync(everyMs);
  expect(rounds).toHaveLength(2);
  rounds[1]?.resolve();
  await stop();
});

test("reports a round that fails, and runs the next", async () => {
  const errors: unknown[] = [];
  const round = () => Promise.reject(new Error("unreachable"));
  const stop = runEvery(round, { everyMs, atOnce: true, onError: (error) => errors.push(error) });
  await vi.advanceTimersByTimeAsync(everyMs);
  expect(errors).toEqual([new Error("unreachable"), new Error("unreachable")]);
  await stop();
});

test("waits for its round when it is stopped", async () => {
  const round = Promise.withResolvers<void>();
  const stop = runEvery(() => round.promise, { everyMs, atOnce: true, onError: noErrors });
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(isStopped).toBe(false);
  round.resolve();
  await stopped;
});

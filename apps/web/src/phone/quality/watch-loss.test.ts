// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchLoss } from "./watch-loss.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A call whose packets, event stream and server can each stop independently. */
function inCall() {
  const world = { flows: true, streamLost: false, answers: true, together: true, asked: 0, told: [] as boolean[] };
  let packetsReceived = 0;
  const stop = watchLoss({
    driver: {
      connectionId: () => "one",
      readSound: async () => {
        if (world.flows) packetsReceived += 15;
        const rest = { packetsLost: 0, jitterMs: 0, roundTripMs: null, microphone: null };
        return { atMs: performance.now(), packetsReceived, ...rest };
      },
    },
    expectsSound: () => world.together,
    isStreamLost: () => world.streamLost,
    asksServer: async () => {
      world.asked += 1;
      return world.answers;
    },
    onChange: (lost) => world.told.push(lost),
  });
  return { world, stop, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test("a call whose audio and event stream both stop is lost within two seconds, and back with its audio", async () => {
  const { world, stop, pass } = inCall();
  await pass(3_000);
  Object.assign(world, { flows: false, streamLost: true });
  await pass(2_000);
  expect(world.told).toEqual([true]);
  world.flows = true;
  await pass(400);
  expect(world.told).toEqual([true, false]);
  stop();
});

test("if the stream only seems open, a server that doesn't respond is noticed within two seconds, and found again", async () => {
  const { world, stop, pass } = inCall();
  await pass(3_000);
  Object.assign(world, { flows: false, answers: false });
  await pass(2_000);
  expect(world.told).toEqual([true]);
  world.answers = true;
  await pass(2_000);
  expect(world.told).toEqual([true, false]);
  stop();
});

test("a broken stream alone isn't a lost call: on rtpengines the audio continues", async () => {
  const { world, stop, pass } = inCall();
  world.streamLost = true;
  await pass(20_000);
  expect(world.told).toEqual([]);
  stop();
});

test("a silent far end isn't a lost call, and costs the server one request every five seconds", async () => {
  const { world, stop, pass } = inCall();
  await pass(3_000);
  world.flows = false;
  await pass(20_000);
  expect(world.told).toEqual([]);
  expect(world.asked).toBeLessThanOrEqual(5);
  stop();
});

test("on hold, where no audio is expected, the server isn't asked, but a broken stream is a lost call", async () => {
  const { world, stop, pass } = inCall();
  Object.assign(world, { flows: false, together: false });
  await pass(10_000);
  expect([world.asked, world.told]).toEqual([0, []]);
  world.streamLost = true;
  await pass(400);
  expect(world.told).toEqual([true]);
  stop();
  await pass(10_000);
  expect(world.told).toEqual([true]);
});

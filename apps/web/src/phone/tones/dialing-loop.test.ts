import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDialingLoop } from "./dialing-loop.ts";

const recordedSound = () => {
  const sound = {
    loop: false,
    currentTime: 3,
    playing: false,
    play: () => {
      sound.playing = true;
      return Promise.resolve();
    },
    pause: () => {
      sound.playing = false;
    },
  };
  return sound;
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("it loops from the start and is paused after six seconds, not before", () => {
  const sound = recordedSound();
  createDialingLoop(() => sound).start();
  expect(sound).toMatchObject({ loop: true, currentTime: 0, playing: true });
  vi.advanceTimersByTime(5999);
  expect(sound.playing).toBe(true);
  vi.advanceTimersByTime(1);
  expect(sound.playing).toBe(false);
});
test("it stops immediately when the call is answered or ended", () => {
  const sound = recordedSound();
  const loop = createDialingLoop(() => sound);
  loop.start();
  loop.stop();
  expect(sound.playing).toBe(false);
});
test("a second call gets its own six seconds", () => {
  const sound = recordedSound();
  const loop = createDialingLoop(() => sound);
  loop.start();
  vi.advanceTimersByTime(4000);
  loop.stop();
  loop.start();
  vi.advanceTimersByTime(4000);
  expect(sound.playing).toBe(true);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { keySounds, pickKeySound } from "./pick-key-sound.ts";

test("there are ten different key sounds", () => {
  expect(new Set(keySounds).size).toBe(10);
  const sounds = Array.from({ length: 10 }, (_, index) =>
    readFileSync(new URL(`../sounds/key-${index}.wav`, import.meta.url), "base64"),
  );
  expect(new Set(sounds).size).toBe(10);
});
test("exactly the ten sounds are picked over the range of random values", () => {
  const picked = new Set(Array.from({ length: 1000 }, (_, i) => pickKeySound(() => i / 1000)));
  expect(picked).toEqual(new Set(keySounds));
  expect(pickKeySound(() => 0.999_999_9)).toBe(keySounds[9]);
  // By default it uses Math.random: the same sound sixty times isn't random.
  expect(new Set(Array.from({ length: 60 }, () => pickKeySound())).size).toBeGreaterThan(1);
});

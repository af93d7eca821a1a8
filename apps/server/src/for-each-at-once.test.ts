import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEachAtOnce } from "./for-each-at-once.ts";

test("a slow item delays no other, and no more than the most run at once", async () => {
  const slow = Promise.withResolvers<void>();
  const finished: number[] = [];
  let [running, peak] = [0, 0];
  const done = forEachAtOnce([0, 1, 2, 3, 4], { most: 2 }, async (item) => {
    peak = Math.max(peak, ++running);
    await (item === 0 ? slow.promise : turn());
    running--;
    finished.push(item);
  });
  await expect.poll(() => finished).toEqual([1, 2, 3, 4]);
  slow.resolve();
  await done;
  expect([finished, peak]).toEqual([[1, 2, 3, 4, 0], 2]);
});

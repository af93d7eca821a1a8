import { expect, test } from "vitest";
import { createKeepApart } from "./keep-apart.ts";

const gapMs = 20;
/** Sums of milliseconds are rounded. */
const roundingMs = 0.001;

test("calls whose turns come all at once leave one after another", async () => {
  const leave = createKeepApart();
  const leftAt = await Promise.all(Array.from({ length: 10 }, () => leave("trunk", gapMs)));
  const gaps = leftAt.slice(1).map((leftMs, index) => leftMs - (leftAt[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(gapMs - roundingMs);
});

test("a call doesn't wait for another carrier's calls", async () => {
  const leave = createKeepApart();
  await leave("trunk", gapMs);
  // Otherwise this would take days.
  await expect(leave("other trunk", 1e9)).resolves.toBeGreaterThan(0);
});

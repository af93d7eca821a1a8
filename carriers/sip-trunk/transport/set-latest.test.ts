import { expect, it } from "vitest";

import { setLatest } from "./set-latest.ts";

it("a map keeps the thousand keys that were set last", () => {
  const map = new Map<string, number>();
  for (let i = 0; i < 1_000; i++) setLatest(map, String(i), i);
  setLatest(map, "0", 0);
  setLatest(map, "1000", 1_000);
  expect([map.size, map.has("0"), map.has("1"), map.has("2")]).toEqual([1_000, true, false, true]);
});

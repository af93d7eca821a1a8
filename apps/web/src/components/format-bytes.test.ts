import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.ts";

test("sizes use the unit that leaves few digits", () => {
  expect([0, 812, 14_200, 3_240_000].map(formatBytes)).toEqual(["0 B", "812 B", "14 kB", "3.2 MB"]);
});

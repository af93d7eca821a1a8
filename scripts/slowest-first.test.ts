import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { slowest } from "./slowest-first.ts";

test("every file that is to start first exists, and is named once", () => {
  expect(slowest.filter((path) => !existsSync(path))).toEqual([]);
  expect(new Set(slowest).size).toBe(slowest.length);
});

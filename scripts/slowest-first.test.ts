import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { slowest } from "./slowest-first.ts";

test("every file listed to start first exists, and is listed once", () => {
  expect(slowest.filter((path) => !existsSync(path))).toEqual([]);
  expect(new Set(slowest).size).toBe(slowest.length);
});

import { expect, test } from "vitest";
import { dueWords } from "./due-words.ts";

test("a day is told from today, late or to come", () => {
  const words = (day: string) => dueWords(day, "2026-03-29");
  expect(["2026-03-29", "2026-03-30", "2026-03-28", "2026-02-27"].map(words)).toEqual([
    "Today",
    "Tomorrow",
    "1 day late",
    "30 days late",
  ]);
  expect(words("2026-04-06")).toMatch(/6/);
});

import { describe, expect, test } from "vitest";
import { dialableOf } from "./dialable-characters.ts";
import { deletedSeparator, insertInto, regroup, removeFrom } from "./edit-number.ts";
import { formatAsTyped } from "./format-number.ts";

/** "(202) 5|55" → text and caret. */
const marked = (text: string) => ({ text: text.replace("|", ""), caret: text.indexOf("|") });
const mark = ({ text, caret }: { text: string; caret: number }) => `${text.slice(0, caret)}|${text.slice(caret)}`;

describe("formatting while typing keeps the caret at its digit", () => {
  test.each([
    ["typing at the end", "(202) 5555|", "(202) 555-5|"],
    ["typing a digit in the middle", "(2029|) 555-01", "(202) 9|55-501"],
    ["typing at the start", "1|(202) 555-0100", "1| (202) 555-0100"],
    ["a plus sign in front of a German number", "+|4930901820", "+|49 30 901820"],
    ["a letter is dropped and the caret stays", "(202) 55x|5-0100", "(202) 55|5-0100"],
  ])("%s", (_, edited, expected) => {
    expect(mark(regroup(marked(edited), formatAsTyped))).toBe(expected);
  });
  test("deleting a separator also deletes the adjacent digit", () => {
    expect(mark(regroup(marked("(202) 555|0100"), formatAsTyped, "before"))).toBe("(202) 55|0-100");
    expect(mark(regroup(marked("(202) 555|0100"), formatAsTyped, "after"))).toBe("(202) 555|-100");
  });
  test("only a deletion deletes: pasting the same number without its separators keeps every digit", () => {
    const grouped = "+1 202 555 0100";
    for (const inputType of ["insertText", "insertFromPaste", "insertReplacementText", ""])
      expect(deletedSeparator(grouped, "+12025550100", inputType)).toBeNull();
    expect(deletedSeparator(grouped, "+1202 555 0100", "deleteContentBackward")).toBe("before");
    expect(deletedSeparator(grouped, "+1202 555 0100", "deleteContentForward")).toBe("after");
    expect(deletedSeparator(grouped, "+1 202 555 010", "deleteContentBackward")).toBeNull();
  });
  test("a pad key inserts at the caret", () => {
    const { text, caret } = marked("(202) 555|-010");
    expect(mark(insertInto(text, [caret, caret], "7", formatAsTyped))).toBe("(202) 555-7|010");
  });
  test("a pad key replaces the selection", () => {
    expect(insertInto("(202) 555-0100", [0, 14], "9", formatAsTyped)).toEqual({ text: "9", caret: 1 });
  });
  test("backspace removes the digit before a separator, not the separator", () => {
    const { text, caret } = marked("(202) 555-|0100");
    expect(mark(removeFrom(text, [caret, caret], formatAsTyped))).toBe("(202) 55|0-100");
  });
  test("backspace at the start removes nothing", () => {
    expect(removeFrom("(202) 555-0100", [0, 0], formatAsTyped)).toEqual({ text: "(202) 555-0100", caret: 0 });
  });
  test("a plus sign only counts at the start", () => {
    expect(insertInto("49", [2, 2], "+", formatAsTyped).text).toBe("49");
    expect(dialableOf("4+9")).toBe("49");
  });
});

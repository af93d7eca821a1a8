import { expect, test } from "vitest";
import { customFieldsOf } from "./apply-mapping.ts";

test("a long value is cut between characters", () => {
  const mapping = { custom: [{ id: "about", name: "About", labels: {} }] };
  const read = (length: number) => customFieldsOf(mapping, () => `${"x".repeat(length)}😀${"x".repeat(9)}`)[0]?.value;
  expect(read(998)).toBe(`${"x".repeat(998)}😀`);
  expect(read(999)).toBe("x".repeat(999));
});

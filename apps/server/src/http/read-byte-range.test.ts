import { expect, test } from "vitest";
import { readByteRange } from "./read-byte-range.ts";

test.each([
  ["bytes=0-99", { firstByte: 0, lastByte: 99 }],
  ["bytes=900-", { firstByte: 900, lastByte: 999 }],
  ["bytes=900-5000", { firstByte: 900, lastByte: 999 }],
  ["bytes=-100", { firstByte: 900, lastByte: 999 }],
  ["bytes=-5000", { firstByte: 0, lastByte: 999 }],
  ["bytes=1000-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=5-4", null],
  ["bytes=0-1,5-6", null],
  ["lines=1-2", null],
  ["bytes=-", null],
  [undefined, null],
])("reads %s of 1,000 bytes as %j", (header, range) => expect(readByteRange(header, 1_000)).toEqual(range));

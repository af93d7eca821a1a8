import { expect, it } from "vitest";

import { createKeyListener, packetsOfKey, rescaleKey } from "./telephone-event.ts";

it("converts a digit to the same length at another clock rate", () => {
  const rescaled = packetsOfKey("5").map(({ payload }) => rescaleKey(payload, 8_000, 48_000));
  expect(rescaled.map((payload) => payload.readUInt16BE(2) / 48)).toEqual([20, 40, 60, 80, 100, 120, 120, 120, 120]);
  expect(rescaled.map((payload) => createKeyListener()({ timestamp: 0, payload }))).toEqual(rescaled.map(() => "5"));
  const [first] = packetsOfKey("5");
  expect(first?.payload.readUInt16BE(2)).toBe(160);
});

it("converts a digit that is too long for the field to the maximum", () => {
  const held = Buffer.from([5, 10, 0x7f, 0xff]);
  expect(rescaleKey(held, 8_000, 48_000).readUInt16BE(2)).toBe(0xffff);
});

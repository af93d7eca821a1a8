import { expect, it } from "vitest";

import { createKeyListener, packetsOfKey, rescaleKey } from "./telephone-event.ts";

it("tells a key as long by another clock, and the same key", () => {
  const rescaled = packetsOfKey("5").map(({ payload }) => rescaleKey(payload, 8_000, 48_000));
  expect(rescaled.map((payload) => payload.readUInt16BE(2) / 48)).toEqual([20, 40, 60, 80, 100, 120, 120, 120, 120]);
  expect(rescaled.map((payload) => createKeyListener()({ timestamp: 0, payload }))).toEqual(rescaled.map(() => "5"));
  const [first] = packetsOfKey("5");
  expect(first?.payload.readUInt16BE(2)).toBe(160);
});

it("tells a key that is held for longer than can be said as long as that", () => {
  const held = Buffer.from([5, 10, 0x7f, 0xff]);
  expect(rescaleKey(held, 8_000, 48_000).readUInt16BE(2)).toBe(0xffff);
});

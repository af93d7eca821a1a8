import { teammateCarrier } from "@leadline/contract/transfers";
import { expect, test } from "vitest";
import { costIfAny, costLabel, unpricedLabel } from "./cost-label.ts";

const answered = {
  direction: "outbound",
  carrier: "sip-trunk",
  answeredAt: "2026-11-21T12:00:00.000Z",
  rate: null,
  costMicros: 0,
} as const;
const free = { perMinuteMicros: 0, connectionFeeMicros: 0, firstSeconds: 60, nextSeconds: 60 };

test("the cost of an answered call without a rate isn't known, until the carrier's record says it", () => {
  expect(costLabel(answered)).toBe("Rate unknown");
  expect(costIfAny(answered)).toBe("Rate unknown");
  expect(costLabel({ ...answered, costMicros: 13_000 })).toBe("$0.013");
});

test.each([
  ["a call whose rate is nothing", { rate: free }],
  ["an unanswered call", { answeredAt: null }],
  ["an inbound call", { direction: "inbound" as const }],
  ["a call to a teammate", { carrier: teammateCarrier }],
])("%s costs $0.00", (_, call) => {
  expect(costLabel({ ...answered, ...call })).toBe("$0.00");
  expect(costIfAny({ ...answered, ...call })).toBeNull();
});

test("a total says how many calls it leaves out", () => {
  expect(unpricedLabel(0)).toBeNull();
  expect(unpricedLabel(1)).toBe("Without 1 call whose rate isn’t known.");
  expect(unpricedLabel(1_200)).toBe("Without 1,200 calls whose rates aren’t known.");
});

import { causeOfRefusal } from "@leadline/carrier-sip-trunk/calls/cause-of";
import { expect, test } from "vitest";
import { isCarrierFault } from "./is-carrier-fault.ts";

test("a carrier that can't place a call leaves it to the next", () => {
  for (const status of [500, 502, 503, 504]) expect(isCarrierFault(causeOfRefusal(status), null)).toBe(true);
  expect(isCarrierFault({ reason: "network-failure", sip: null, q850: 38 }, null)).toBe(true);
  expect(isCarrierFault({ reason: "credentials-refused", sip: 403, q850: 21 }, null)).toBe(true);
  const limit = { sentence: "The limit of simultaneous calls is reached.", ofCarrier: true };
  expect(isCarrierFault(causeOfRefusal(403), limit)).toBe(true);
});

test("a callee's own answer is never taken for the carrier's", () => {
  for (const status of [403, 404, 408, 410, 480, 484, 486, 487, 488, 600, 603, 604, 607, 608])
    expect(isCarrierFault(causeOfRefusal(status), null)).toBe(false);
  // The network's cause says more than the status that it was folded into.
  expect(isCarrierFault(causeOfRefusal(503, "Q.850;cause=17"), null)).toBe(false);
});

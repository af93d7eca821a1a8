import { causeOfRefusal } from "@leadline/carrier-sip-trunk/calls/cause-of";
import { expect, test } from "vitest";
import { isCarrierFault } from "./is-carrier-fault.ts";

test("a call that the carrier can't place goes to the next one", () => {
  for (const status of [500, 502, 503, 504]) expect(isCarrierFault(causeOfRefusal(status), null)).toBe(true);
  expect(isCarrierFault({ reason: "network-failure", sip: null, q850: 38 }, null)).toBe(true);
  expect(isCarrierFault({ reason: "credentials-refused", sip: 403, q850: 21 }, null)).toBe(true);
  const limit = { sentence: "The limit of simultaneous calls is reached.", ofCarrier: true };
  expect(isCarrierFault(causeOfRefusal(403), limit)).toBe(true);
});

test("the callee's own answer is never taken for a carrier fault", () => {
  for (const status of [403, 404, 408, 410, 480, 484, 486, 487, 488, 600, 603, 604, 607, 608])
    expect(isCarrierFault(causeOfRefusal(status), null)).toBe(false);
  // The Q.850 cause is more exact than the SIP status it was mapped to.
  expect(isCarrierFault(causeOfRefusal(503, "Q.850;cause=17"), null)).toBe(false);
});

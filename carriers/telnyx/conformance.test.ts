import { describeProvisionerConformance } from "@leadline/adapter-kit/provisioner-conformance";
import { startVendorSandbox } from "@leadline/carrier-sandbox/telnyx/server";
import { expect, test } from "vitest";
import { explainRefusal, toProvisionerError } from "./refusals.ts";
import { provisioner } from "./server.ts";

describeProvisionerConformance({
  module: provisioner,
  start: async () => {
    const vendor = await startVendorSandbox({ file: null });
    return { ...vendor, sandbox: vendor };
  },
  wrongKey: { apiKey: `KEY${"0".repeat(40)}` },
  countries: { free: "US", regulated: "FR" },
});

test.each([
  ["User channel limit exceeded D1", /simultaneous calls/],
  ["Dialed number is not included in whitelisted countries D13", /country are off/],
  ["Account balance is too low D60", /no balance left/],
  ["Account is not verified", /verified first/],
])("explains 403 %s, which is the carrier's, in a sentence", (reason, sentence) => {
  expect(explainRefusal(403, reason)).toEqual({ sentence: expect.stringMatching(sentence), ofCarrier: true });
});

test.each([
  [401, "10009", "key-refused", /doesn’t accept this key/],
  [403, "10010", "not-permitted", /may not do that/],
  [402, null, "no-balance", /no balance left/],
  [403, "10038", "unverified", /verified first/],
  [422, "85001", "number-gone", /isn’t for sale any more/],
  [429, null, "too-many-requests", /Try again in a minute/],
  [500, null, "unreachable", /failure of its own/],
] as const)("tells the error %i %s of its API as %s, in a sentence", (status, code, fault, sentence) => {
  const body = code === null ? {} : { errors: [{ code, title: "Its own words" }] };
  const error = toProvisionerError(status, body);
  expect(error).toMatchObject({ fault, message: expect.stringMatching(sentence) });
  expect(error.message).toMatch(/\.$/);
});

test("leaves the callee's responses alone", () => {
  for (const status of [486, 603, 404]) expect(explainRefusal(status, "Busy Here")).toBeNull();
});

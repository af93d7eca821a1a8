import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeProvisionerConformance } from "@leadline/adapter-kit/provisioner-conformance";
import { afterAll, describe, expect, test } from "vitest";
import { judgeByContracts } from "./testing/judge-by-contracts.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { toProvisionerError } from "./refusals.ts";
import { provisioner } from "./server.ts";
import { verifiesCaller } from "./verifies-caller.ts";

const contracts = join(process.env["CONTRACTS_DIR"] ?? "../shared/contracts", "twilio");
const judged = existsSync(contracts) ? await judgeByContracts(contracts) : null;

describeProvisionerConformance({
  module: provisioner,
  start: async () => {
    const { startVendorSandbox } = await import("@leadline/carrier-sandbox/twilio/server");
    const vendor = await startVendorSandbox({ file: null });
    if (judged === null) return { ...vendor, sandbox: vendor };
    // Every request and every answer passes the vendor's own contract on its way.
    const judge = await judged.standBefore(vendor.address);
    return {
      ...vendor,
      sandbox: { ...vendor, address: judge.address },
      close: async () => {
        await judge.close();
        await vendor.close();
      },
    };
  },
  wrongKey: { accountSid: `AC${"0".repeat(32)}`, authToken: "0".repeat(32) },
  countries: { free: "US", regulated: "FR" },
});

describe.skipIf(judged === null)("Twilio's own contract", () => {
  afterAll(() => judged?.forget());

  test("accepts every request we send and every answer of the sandbox", () => {
    expect(judged?.violations()).toEqual([]);
    expect(judged?.judged()).toBeGreaterThan(50);
  });
});

test.each([
  [503, "Trunk CPS limit exceeded", /calls per second/],
  [403, "Concurrent call limit exceeded", /simultaneous calls/],
  [403, "32205 Geo permission", /country are off/],
  [402, "Payment Required", /no balance left/],
  [403, "Number is unverified", /trial account/],
] as const)("explains %i %s, which is the carrier's, in a sentence", (status, reason, sentence) => {
  expect(explainRefusal(status, reason)).toEqual({ sentence: expect.stringMatching(sentence), ofCarrier: true });
});

test.each([
  [401, 20003, "key-refused", /doesn’t accept this key/],
  [403, null, "not-permitted", /may not do that/],
  [402, null, "no-balance", /no balance left/],
  [400, 21404, "unverified", /Upgrade the account/],
  [400, 21422, "number-gone", /isn’t for sale any more/],
  [400, 21649, "requirement-missing", /regulatory bundle/],
  [403, 13227, "country-not-permitted", /country are off/],
  [429, 20429, "too-many-requests", /Try again in a minute/],
  [500, null, "unreachable", /failure of its own/],
] as const)("tells the error %i %s of its API as %s, in a sentence", (status, code, fault, sentence) => {
  const error = toProvisionerError({ status, ...(code !== null && { code }), message: "Its own words" });
  expect(error).toMatchObject({ fault, message: expect.stringMatching(sentence) });
  expect(error.message).toMatch(/\.$/);
});

test("leaves the callee's responses alone", () => {
  for (const status of [486, 603, 404])
    for (const reason of ["Busy Here", "No trial calls, please"]) expect(explainRefusal(status, reason)).toBeNull();
});

test("a caller is verified by an attestation of the number only", () => {
  const verdicts = ["TN-Validation-Passed-A", "TN-Validation-Passed-B", "TN-Validation-Failed", "No-TN-Validation"];
  expect(verdicts.map((verstat) => verifiesCaller({ "x-twilio-verstat": verstat }))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(verifiesCaller({})).toBeNull();
});

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeProvisionerConformance } from "@leadline/adapter-kit/provisioner-conformance";
import { afterAll, describe, expect, test } from "vitest";
import { judgeByContracts } from "./testing/judge-by-contracts.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { provisioner } from "./server.ts";

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
      sandbox: { address: judge.address, sip: vendor.sip },
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

test("explains the carrier's refusals in sentences, and leaves the callee's alone", () => {
  for (const [status, reason] of [
    [503, "Trunk CPS limit exceeded"],
    [403, "Concurrent call limit exceeded"],
    [403, "32205 Geo permission"],
  ] as const)
    expect(explainRefusal(status, reason)).toEqual({ sentence: expect.stringMatching(/\.$/), ofCarrier: true });
  for (const status of [486, 603, 404])
    for (const reason of ["Busy Here", "No trial calls, please"]) expect(explainRefusal(status, reason)).toBeNull();
});

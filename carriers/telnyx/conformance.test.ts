import { describeProvisionerConformance } from "@leadline/adapter-kit/provisioner-conformance";
import { startVendorSandbox } from "@leadline/carrier-sandbox/telnyx/server";
import { expect, test } from "vitest";
import { explainRefusal } from "./refusals.ts";
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

test("explains the carrier's refusals in sentences, and leaves the callee's alone", () => {
  for (const reason of ["User channel limit exceeded D1", "Dialed number is not included in whitelisted countries D13"])
    expect(explainRefusal(403, reason)).toEqual({ sentence: expect.stringMatching(/\.$/), ofCarrier: true });
  for (const status of [486, 603, 404]) expect(explainRefusal(status, "Busy Here")).toBeNull();
});

import type { CallRate } from "@leadline/contract/rates";
import { expect, test } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { connectAccount } from "../../../testing/connect-account.ts";
import { flatRate } from "../../../testing/flat-rate.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";
import { countsTransfers } from "./counts-transfers.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, publicAddress: async () => null }),
});
const vendor = provisioners[0]?.module.id ?? "";

test("an account's carrier carries out a transfer only if it is free, so that the limits count it before its record comes", async () => {
  const sandbox = sandboxes.get(vendor);
  if (!sandbox) throw new Error("The first vendor has no sandbox.");
  const rep = await newRep(app);
  const { carrierId } = await connectAccount(app, rep, { vendor, sandbox });
  expect((await app.ask("POST", "/v1/billing/carrier-costs/read", { token: rep.token })).statusCode).toBe(204);
  const isLeftToCarrier = (rate: CallRate | null) =>
    app.database.withTransaction(rep, async (tx) => {
      const leg = { organisationId: rep.organisationId, connection: { id: carrierId }, rate };
      return !(await countsTransfers(tx, leg));
    });
  expect(await isLeftToCarrier(flatRate(20_000))).toBe(false);
  expect(await isLeftToCarrier(null)).toBe(false);
  expect(await isLeftToCarrier(flatRate(0))).toBe(true);
});

import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { atVendor, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const accounts = () => ({ sandboxes, publicAddress: async () => null });
const app = testAppWithCalls(carrierModules, { databaseUrl, accounts, maxNumbers: 2 });

test("numbers that were found at the vendor count when the next one is bought, but are used here beyond the limit too", async () => {
  const vendor = provisioners[0]?.module.id ?? "";
  const sandbox = sandboxes.get(vendor);
  if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
  const [rep, other] = [await newRep(app), await newRep(app)];
  const account = await connectAccount(app, rep, { vendor, sandbox });
  const { trunk: elsewhere } = await connectAccount(app, other, { vendor, sandbox });
  const [forSale = "", ...bought] = await atVendor({ vendor, sandbox }, async (provisioner) => {
    const offered = await provisioner.searchNumbers({ countryCode: "US", query: null, limit: 4 });
    const [left, ...taken] = offered.map(({ number }) => number);
    for (const [index, number] of taken.entries()) {
      const trunk = index === 0 ? account.trunk : elsewhere;
      const intent = { number, countryCode: "US", type: "local", trunk, reference: randomUUID() } as const;
      await vi.waitFor(async () => expect((await provisioner.buy(intent)).state).toBe("bought"));
    }
    return [left, ...taken];
  });
  const post = (path: `/${string}`, body: object = {}) => app.ask("POST", path, { token: rep.token, body });
  const countOwned = async () =>
    (await app.ask("GET", "/v1/phone-numbers", { token: rep.token })).json().length as number;
  const buy = () =>
    app.ask("POST", "/v1/number-orders", {
      token: rep.token,
      body: { accountId: account.id, number: forSale, countryCode: "US" },
      headers: { "idempotency-key": randomUUID() },
    });
  // One rings here already and is found by comparing; the others are chosen.
  await app.ask("POST", `/v1/carrier-accounts/${account.id}/check-numbers`, { token: rep.token });
  expect(await countOwned()).toBe(1);
  for (const [index, number] of bought.slice(1).entries()) {
    expect((await post(`/v1/carrier-accounts/${account.id}/numbers`, { number, moves: true })).statusCode).toBe(201);
    expect(await countOwned()).toBe(index + 2);
    expect((await buy()).json()).toMatchObject({ type: "/api/docs#quota-reached" });
  }
});

import type { Provisioner } from "@leadline/adapter-kit/provisioner";
import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import type { CarrierAccount } from "@leadline/contract/carrier-accounts";
import { vi } from "vitest";
import { provisioners } from "../adapters.ts";
import type { TestApp } from "./test-app.ts";
import type { Rep } from "./test-calls.ts";

/** Connects the vendor's sandbox, and waits until calls can go through it. */
export async function connectAccount(
  app: TestApp,
  rep: Rep,
  { vendor, sandbox }: { vendor: string; sandbox: VendorSandbox },
): Promise<CarrierAccount> {
  const body = { vendor, label: "Calls", key: sandbox.key };
  const { id } = (await app.ask("POST", "/v1/carrier-accounts", { token: rep.token, body })).json();
  return vi.waitFor(
    async () => {
      const listed: CarrierAccount[] = (await app.ask("GET", "/v1/carrier-accounts", { token: rep.token })).json();
      const account = listed.find((each) => each.id === id);
      if (account?.state !== "connected") throw new Error(`It is ${account?.state}: ${account?.failure}`);
      return account;
    },
    { interval: 50 },
  );
}

/** Buys a US number from the account: the vendor refuses calls that show none. */
export async function buyNumber(
  app: TestApp,
  rep: Rep,
  { id: accountId }: Pick<CarrierAccount, "id">,
): Promise<string> {
  const { token } = rep;
  const query = new URLSearchParams({ countryCode: "US", accountId });
  const offered = (await app.ask("GET", `/v1/phone-numbers/available?${query}`, { token })).json();
  const number: string = offered[0].number;
  const body = { accountId, number, countryCode: "US" };
  const ordered = (await app.ask("POST", "/v1/number-orders", { token, body })).json();
  if (ordered.state !== "bought") throw new Error(`The number wasn't bought: ${JSON.stringify(ordered)}`);
  return number;
}

/** What an owner does at the vendor itself, without Leadline. */
export async function atVendor<T>(
  { vendor, sandbox }: { vendor: string; sandbox: VendorSandbox },
  work: (provisioner: Provisioner) => Promise<T>,
): Promise<T> {
  const module = provisioners.find((each) => each.module.id === vendor)?.module;
  if (!module) throw new Error(`${vendor} is not listed.`);
  const provisioner = await module.open(module.settings.parse(sandbox.key), { sandbox });
  return work(provisioner).finally(() => provisioner.close());
}

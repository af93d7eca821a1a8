import { join } from "node:path";
import { serveHere } from "@leadline/adapter-kit/outbound/private-networks";
import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import { provisioners } from "../adapters.ts";
import type { Config } from "../config.ts";
import type { AccountDeps } from "../features/carrier-accounts/account-deps.ts";
import { readPublicAddress } from "./public-address.ts";

/** The parts of the settings that accounts connected by API key need. */
export async function openAccounts(
  { sandboxCarriers, dataDir, publicUrl }: Config,
  closers: (() => unknown)[],
): Promise<Pick<AccountDeps, "sandboxes" | "publicAddress">> {
  const sandboxes = sandboxCarriers ? await startVendorSandboxes(dataDir) : new Map<string, never>();
  for (const sandbox of sandboxes.values()) closers.push(() => sandbox.close());
  return { sandboxes, publicAddress: readPublicAddress(publicUrl) };
}

/** The sandbox of each vendor, by the vendor's id. Without a folder they keep nothing. */
export async function startVendorSandboxes(dataDir: string | null): Promise<ReadonlyMap<string, VendorSandbox>> {
  const started = await Promise.all(
    provisioners.map(async ({ module: { id }, startSandbox }) => {
      const sandbox = await startSandbox({ file: dataDir === null ? null : join(dataDir, `sandbox-${id}.json`) });
      serveHere(sandbox.sip);
      serveHere(sandbox.sipOverTls.address);
      return [id, sandbox] as const;
    }),
  );
  return new Map(started);
}

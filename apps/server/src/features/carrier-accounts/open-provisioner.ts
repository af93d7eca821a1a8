import { isDeepStrictEqual } from "node:util";
import { type Provisioner, ProvisionerError, type ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import type { AccountDeps, AccountSandbox } from "./account-deps.ts";
import type { AccountSecrets } from "./account-secrets.ts";

/** The sandbox has its own key; every other key goes to the vendor. */
export function sandboxOf(deps: AccountDeps, vendor: string, key: object): AccountSandbox | null {
  const sandbox = deps.sandboxes.get(vendor);
  return sandbox && isDeepStrictEqual({ ...key }, { ...sandbox.key }) ? sandbox : null;
}

export async function openProvisioner(
  deps: AccountDeps,
  account: { vendor: string; isSandbox: boolean },
  secrets: AccountSecrets | null,
): Promise<{ provisioner: Provisioner; password: string; sandbox: AccountSandbox | null }> {
  const module: ProvisionerModule | undefined = deps.modules.find(({ id }) => id === account.vendor);
  if (!module) throw new ProvisionerError("refused", "This Leadline can’t connect that vendor any more.");
  if (secrets === null) throw new ProvisionerError("key-refused", "The key can’t be read any more. Enter it again.");
  const sandbox = sandboxOf(deps, account.vendor, secrets.key);
  if ((secrets.isSandbox ?? account.isSandbox) && !sandbox)
    throw new ProvisionerError("unreachable", "The sandbox is off on this server. Disconnect this account.");
  const key = module.settings.safeParse(secrets.key);
  if (!key.success) throw new ProvisionerError("key-refused", "This version can’t use the stored key. Enter it again.");
  const provisioner = await module.open(key.data, { sandbox });
  return { provisioner, password: secrets.password, sandbox };
}

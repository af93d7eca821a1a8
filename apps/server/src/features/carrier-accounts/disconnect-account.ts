import { type Provisioner, ProvisionerError } from "@leadline/adapter-kit/provisioner";
import { asLeadline } from "../../db/as-leadline.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { type AccountDeps, noAccount, requireVendor, trunkName } from "./account-deps.ts";
import { openSecrets } from "./account-secrets.ts";
import { changeAccount, deleteAccount, findAccount, findSealed, type StoredAccount } from "./carrier-accounts.table.ts";
import { openProvisioner } from "./open-provisioner.ts";
import { isSameAccount } from "./vendor-account.ts";

/**
 * The disconnecting state is stored first, so that another process finishes if this one is killed. That process would
 * also remove what is at the vendor, so if that is to stay, only the end is stored.
 */
export async function disconnectAccount(
  deps: AccountDeps,
  { organisation, userId }: Member,
  { id, leave }: { id: string; leave: "nothing" | "everything" },
): Promise<void> {
  const key = { organisationId: organisation.id, id };
  const account = await deps.database.withTransaction({ ...key, userId }, async (tx) => {
    if (leave === "nothing") await changeAccount(tx, key, { state: "disconnecting", failure: null });
    return findAccount(tx, key);
  });
  if (!account) throw noAccount();
  try {
    if (leave === "nothing") await removeAtVendor(deps, account);
  } catch (error) {
    if (!(error instanceof ProvisionerError)) throw error;
    const failure = error.message;
    await deps.database.withTransaction({ ...key, userId }, (tx) =>
      changeAccount(tx, key, { state: "failed", failure }),
    );
    throw new Problem("carrier-refused", `${failure} The account is still connected here.`);
  }
  await removeHere(deps, account);
}

/** A failure is shown to the owner, who can disconnect again. */
export async function finishDisconnecting(deps: AccountDeps, given: StoredAccount): Promise<void> {
  const account = await deps.database.withTransaction({ organisationId: given.organisationId }, (tx) =>
    findAccount(tx, given),
  );
  if (account?.state !== "disconnecting") return;
  try {
    await removeAtVendor(deps, account);
  } catch (error) {
    if (!(error instanceof ProvisionerError)) throw error;
    const { organisationId, id } = account;
    await deps.database.withTransaction({ organisationId }, (tx) =>
      asLeadline(tx, "carrier-account.disconnected", () =>
        changeAccount(tx, { organisationId, id }, { state: "failed", failure: error.message }),
      ),
    );
    return;
  }
  await removeHere(deps, account);
}

/** With the key in use or, if that is refused, one that was tried since and is of the same account. */
async function removeAtVendor(deps: AccountDeps, account: StoredAccount): Promise<void> {
  const sealed = await deps.database.withTransaction({ organisationId: account.organisationId }, (tx) =>
    findSealed(tx, account),
  );
  const use = async <T>(key: string | null, work: (provisioner: Provisioner) => Promise<T>): Promise<T> => {
    const { provisioner } = await openProvisioner(deps, account, openSecrets(deps.sealer, account, key));
    return work(provisioner).finally(() => provisioner.close());
  };
  const { organisationId, id } = account;
  const remove = async (provisioner: Provisioner): Promise<void> => {
    const vendorName = requireVendor(deps, account.vendor).name;
    await deps.onDisconnecting(provisioner, { organisationId, id, vendorName });
    await provisioner.removeTrunk(trunkName(account));
  };
  try {
    await use(sealed?.used ?? null, remove);
  } catch (refused) {
    const isRefused = refused instanceof ProvisionerError && refused.fault === "key-refused";
    if (!isRefused || !sealed?.next) throw refused;
    await use(sealed.next, async (provisioner) => {
      if (!(await isSameAccount(provisioner, account, await provisioner.account()))) throw refused;
      await remove(provisioner);
    });
  }
}

async function removeHere(deps: AccountDeps, account: StoredAccount): Promise<void> {
  const { organisationId, id, vendor, carrierId } = account;
  const trunk = { organisationId, carrierId };
  // This version of Leadline may no longer have its vendor.
  const vendorName = deps.modules.find((module) => module.id === vendor)?.name ?? vendor;
  await deps.database.withTransaction({ organisationId }, async (tx) => {
    await asLeadline(tx, "carrier-account.disconnected", async () => {
      await deps.deleteTrunk(tx, trunk);
      await deps.onRemoved(tx, { organisationId, id, vendorName });
      await deleteAccount(tx, account);
    });
  });
  await deps.onTrunkDeleted(trunk);
}

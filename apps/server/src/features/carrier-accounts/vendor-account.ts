import { type Provisioner, ProvisionerError, type VendorAccount } from "@leadline/adapter-kit/provisioner";
import type { Tx } from "../../db/transaction.ts";
import { trunkName } from "./account-deps.ts";
import { changeAccount, lockVendorAccounts, selectAccounts, type StoredAccount } from "./carrier-accounts.table.ts";

/** Whether the key is of the vendor's account in which our trunk is: by that one's id or, if it isn't known, by the trunk. */
export async function isSameAccount(
  provisioner: Pick<Provisioner, "hasTrunk">,
  account: StoredAccount,
  { id }: Pick<VendorAccount, "id">,
): Promise<boolean> {
  if (id !== null && account.vendorAccountId !== null) return id === account.vendorAccountId;
  return provisioner.hasTrunk(trunkName(account));
}

export const ofOtherAccount = (account: StoredAccount): string =>
  `This key is of another account, which has no ${trunkName(account)}. Disconnect “${account.label}” first, then connect the other account.`;

/** Stores the vendor's account with ours. Rejects if another of the organisation's accounts is the same. */
export async function claimVendorAccount(tx: Tx, account: StoredAccount, { id }: VendorAccount): Promise<void> {
  if (id === null) return;
  const { organisationId } = account;
  await lockVendorAccounts(tx, organisationId);
  const same = (await selectAccounts(tx, organisationId)).find(
    (each) => each.id !== account.id && each.vendor === account.vendor && each.vendorAccountId === id,
  );
  if (same)
    throw new ProvisionerError(
      "refused",
      `This account is connected already, as “${same.label}”. Connect that one again, or disconnect it first.`,
    );
  await changeAccount(tx, account, { vendorAccountId: id });
}

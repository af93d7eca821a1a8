import { ProvisionerError } from "@leadline/adapter-kit/provisioner";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { type AccountDeps, noAccount, trunkName } from "./account-deps.ts";
import { openSecrets } from "./account-secrets.ts";
import { changeAccount, deleteAccount, findAccount, findSealed, type StoredAccount } from "./carrier-accounts.table.ts";
import { openProvisioner } from "./open-provisioner.ts";

/** Written down first: a killed process leaves the rest to the next one. */
export async function disconnectAccount(
  deps: AccountDeps,
  { organisation, userId }: Member,
  { id, leave }: { id: string; leave: "nothing" | "everything" },
): Promise<void> {
  const key = { organisationId: organisation.id, id };
  const account = await deps.database.withTransaction({ ...key, userId }, async (tx) => {
    await changeAccount(tx, key, { state: "disconnecting" });
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
    throw new Problem("carrier-refused", `${failure} Nothing was disconnected.`);
  }
  await removeHere(deps, account);
}

export async function finishDisconnecting(deps: AccountDeps, account: StoredAccount): Promise<void> {
  await removeAtVendor(deps, account);
  await removeHere(deps, account);
}

async function removeAtVendor(deps: AccountDeps, account: StoredAccount): Promise<void> {
  const sealed = await deps.database.withTransaction({ organisationId: account.organisationId }, (tx) =>
    findSealed(tx, account),
  );
  const { provisioner } = await openProvisioner(deps, account, openSecrets(deps.sealer, account, sealed));
  await provisioner.removeTrunk(trunkName(account)).finally(() => provisioner.close());
}

async function removeHere(deps: AccountDeps, account: StoredAccount): Promise<void> {
  const { organisationId, carrierId } = account;
  await deps.removeTrunk({ organisationId, carrierId });
  await deps.database.withTransaction({ organisationId }, (tx) => deleteAccount(tx, account));
}

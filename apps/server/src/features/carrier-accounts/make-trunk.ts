import { type ProvisionedTrunk, type Provisioner, ProvisionerError } from "@leadline/adapter-kit/provisioner";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { changeAccount, changeSealed, findSealed, lockAccount, type StoredAccount } from "./carrier-accounts.table.ts";

/** Before anything is made: from now on the account is the one of this key, and other keys are compared with it. */
export async function noteTrunk(tx: Tx, account: StoredAccount, sealed: string | null): Promise<void> {
  if (account.mayHaveTrunk || sealed === null) return;
  await changeSealed(tx, account, { used: sealed, next: null });
  await changeAccount(tx, account, { mayHaveTrunk: true });
}

/** Like ensureTrunk. If that is refused before it has made anything, the account isn't bound to the key. */
export async function makeTrunk(
  database: Database,
  { provisioner, account, sealed }: { provisioner: Provisioner; account: StoredAccount; sealed: string | null },
  ...[wanted, onStep]: Parameters<Provisioner["ensureTrunk"]>
): Promise<ProvisionedTrunk> {
  let madeSomething = account.connectedAt !== null;
  try {
    return await provisioner.ensureTrunk(wanted, (step, sentence) => {
      madeSomething = true;
      return onStep(step, sentence);
    });
  } catch (error) {
    if (!madeSomething && (await madeNothing(provisioner, wanted.name, { isFirst: !account.mayHaveTrunk, error })))
      await forgetTrunk(database, account, sealed);
    throw error;
  }
}

/** A vendor that refuses the key or its account hasn't carried out the request. An earlier run's may have been. */
async function madeNothing(
  provisioner: Provisioner,
  name: string,
  { isFirst, error }: { isFirst: boolean; error: unknown },
): Promise<boolean> {
  const fault = error instanceof ProvisionerError ? error.fault : null;
  if (fault === "unreachable" || fault === "too-many-requests") return false;
  if (isFirst && (fault === "key-refused" || fault === "not-permitted")) return true;
  return provisioner.hasTrunk(name).then(
    (has) => !has,
    () => false,
  );
}

const forgetTrunk = (database: Database, account: StoredAccount, sealed: string | null): Promise<void> =>
  database.withTransaction({ organisationId: account.organisationId }, async (tx) => {
    await lockAccount(tx, account);
    // Another one of the same account may be in use by now.
    if ((await findSealed(tx, account))?.used === sealed) await changeAccount(tx, account, { mayHaveTrunk: false });
  });

import { ProvisionerError, type VendorAccount, type WantedTrunk } from "@leadline/adapter-kit/provisioner";
import { asLeadline } from "../../db/as-leadline.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { inDollars } from "../../in-dollars.ts";
import { readLimitsToMirror } from "../limits/read-limits-to-mirror.ts";
import { type AccountDeps, type AccountSandbox, trunkName } from "./account-deps.ts";
import { openSecrets } from "./account-secrets.ts";
import {
  changeAccount,
  changeSealed,
  type DoneStep,
  findAccount,
  findSealed,
  isStillWanted,
  markConnected,
  newestOf,
  selectCarriers,
  type StoredAccount,
} from "./carrier-accounts.table.ts";
import { checkReach, reachSentences } from "./check-reach.ts";
import { makeTrunk, noteTrunk } from "./make-trunk.ts";
import { noteMirrored } from "./mirrored-limits.table.ts";
import { openProvisioner } from "./open-provisioner.ts";
import { claimVendorAccount, isSameAccount, ofOtherAccount } from "./vendor-account.ts";

/**
 * Creates what is missing, at the vendor and here, and stores each step when it is done. A killed run, or one that ends
 * because the server is closing, starts over and finds what it had created. Any other failure is shown to the owner, who
 * can connect again.
 */
export async function connectAccount(
  deps: AccountDeps,
  given: StoredAccount,
  isClosing: () => boolean = () => false,
): Promise<void> {
  const key = { organisationId: given.organisationId, id: given.id };
  const { account, keys, callLimits, carriers } = await deps.database.withTransaction(key, async (tx) => ({
    account: await findAccount(tx, key),
    keys: await findSealed(tx, key),
    callLimits: await readLimitsToMirror(tx, key.organisationId),
    carriers: await selectCarriers(tx, key.organisationId),
  }));
  if (account?.state !== "connecting") return;
  const sealed = newestOf(keys);
  // Its owner may have changed the trunk's port here.
  const localPort = carriers.find(({ id }) => id === account.carrierId)?.localPort || account.localPort;
  const steps: DoneStep[] = [];
  /** False if another key was entered meanwhile, or the account is being disconnected: another run handles that. */
  const ifWanted = (write: (tx: Tx) => Promise<void>): Promise<boolean> =>
    deps.database.withTransaction(key, async (tx) => {
      const isWanted = await isStillWanted(tx, key, sealed);
      if (isWanted) await write(tx);
      return isWanted;
    });
  const change = (changed: Parameters<typeof changeAccount>[2]): Promise<boolean> =>
    ifWanted((tx) => changeAccount(tx, key, changed));
  const onStep = async (step: DoneStep["step"], sentence: string): Promise<void> => {
    steps.push({ step, sentence });
    await change({ steps });
  };
  try {
    const opened = await openProvisioner(deps, account, openSecrets(deps.sealer, key, sealed));
    const { provisioner, password, sandbox } = opened;
    const isSandbox = sandbox !== null;
    let calledAddress: string | null = null;
    try {
      const vendorAccount = await provisioner.account();
      // Nothing is made with such a key, so that nothing is left in its account.
      if (keys?.next && account.mayHaveTrunk && !(await isSameAccount(provisioner, account, vendorAccount))) {
        await ifWanted(async (tx) => {
          const failure = ofOtherAccount(account);
          await audited(tx, () => changeAccount(tx, key, { state: "failed", failure }));
          await changeSealed(tx, key, { next: null });
        });
        return;
      }
      const { name, balance, restriction, limits } = vendorAccount;
      const isWanted = await ifWanted(async (tx) => {
        await claimVendorAccount(tx, account, vendorAccount);
        await changeAccount(tx, key, { balance, restriction });
        await noteTrunk(tx, account, sealed);
      });
      if (!isWanted) return;
      await onStep("account", describeAccount({ name, balance }));
      const calledAt = await placeToCall(deps, { ...account, localPort }, sandbox);
      const wanted: WantedTrunk = {
        name: trunkName(account),
        user: trunkName(account).replace("-", ""),
        password,
        calledAt,
        callLimits,
      };
      const { settings, inbound } = await makeTrunk(deps.database, { provisioner, account, sealed }, wanted, onStep);
      if (inbound.by === "address") calledAddress = calledAt?.address ?? null;
      // Before the trunk takes the port.
      const reach = inbound.by === "address" && calledAt ? await checkReach(calledAt) : null;
      const { organisationId, carrierId, label } = account;
      await deps.putTrunk({ organisationId, carrierId, label, settings, limits });
      const reachSentence = reach && calledAt ? reachSentences[reach](calledAt.port) : "";
      await onStep("inbound", `${inbound.sentence} ${reachSentence}`.trim());
    } finally {
      provisioner.close();
    }
    await ifWanted(async (tx) => {
      await audited(tx, () => markConnected(tx, key, { isSandbox, calledAddress, localPort }));
      await noteMirrored(tx, key, callLimits);
    });
  } catch (error) {
    if (isClosing()) throw error;
    // Another organisation's carrier may conflict with these settings.
    const known = error instanceof ProvisionerError || error instanceof Problem ? error : null;
    deps.log[known ? "warn" : "error"]({ err: error, accountId: account.id }, "an account could not be connected");
    const failed = { state: "failed", failure: known?.message ?? failureOfOurs } as const;
    await ifWanted((tx) => audited(tx, () => changeAccount(tx, key, failed)));
  }
}

/** The result, but not the steps that led to it. */
const audited = (tx: Tx, write: () => Promise<void>): Promise<void> =>
  asLeadline(tx, "carrier-account.connected", write);

const failureOfOurs =
  "That failed because of an error on our side, which has been logged. Connect again, or ask the administrator to check the log.";

function describeAccount({ name, balance }: Pick<VendorAccount, "name" | "balance">): string {
  const sentences = ["The key works."];
  if (name !== null) sentences.push(`The account is called ${name}.`);
  if (balance !== null) {
    const { micros, currency } = balance;
    sentences.push(`Its balance is ${currency === "USD" ? inDollars(micros) : `${micros / 1_000_000} ${currency}`}.`);
  }
  return sentences.join(" ");
}

async function placeToCall(
  deps: AccountDeps,
  { localPort, calledAddress }: StoredAccount,
  sandbox: AccountSandbox | null,
): Promise<WantedTrunk["calledAt"]> {
  // While it can't be looked up, the vendor goes on calling the address that it was told.
  const address = sandbox ? "127.0.0.1" : await deps.publicAddress().catch(() => calledAddress);
  return address === null ? null : { address, port: localPort };
}

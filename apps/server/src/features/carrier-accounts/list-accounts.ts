import { setTimeout as sleep } from "node:timers/promises";
import { connectSteps } from "@leadline/adapter-kit/provisioner";
import type { AccountKind, CarrierAccount } from "@leadline/contract/carrier-accounts";
import { z } from "zod";
import type { Member } from "../../http/route.ts";
import { type AccountDeps, trunkName } from "./account-deps.ts";
import { isUsable, selectAccounts, selectCarrierIds, type StoredAccount } from "./carrier-accounts.table.ts";

export const listAccountKinds = ({ modules, sandboxes }: AccountDeps): AccountKind[] =>
  modules.map((module) => ({
    vendor: module.id,
    name: module.name,
    keyHelp: module.keyHelp,
    form: { ...z.toJSONSchema(module.settings, { io: "input" }) },
    sandboxKey: sandboxes.get(module.id)?.key ?? null,
    byHand: [...module.byHand],
  }));

export async function listAccounts(deps: AccountDeps, { organisation, userId }: Member): Promise<CarrierAccount[]> {
  const scope = { userId, organisationId: organisation.id };
  const { stored, carrierIds } = await deps.database.withTransaction(scope, async (tx) => ({
    stored: await selectAccounts(tx, organisation.id),
    carrierIds: await selectCarrierIds(tx, organisation.id),
  }));
  const address = stored.some(isCalled) ? await readAddress(deps) : null;
  return stored.map((account) => toAccount(account, carrierIds, address));
}

/** A slow name server must not delay the list. */
const lookUpMs = 1_000;

const readAddress = ({ publicAddress }: Pick<AccountDeps, "publicAddress">): Promise<string | null> =>
  Promise.race([publicAddress(), sleep(lookUpMs, null, { ref: false })]);

/** Its vendor calls this server's address. A sandbox is on this machine and stays there. */
const isCalled = ({ calledAddress, isSandbox, state }: StoredAccount): boolean =>
  calledAddress !== null && !isSandbox && (state === "connected" || state === "failed");

/** `carrierIds`: the organisation's carriers. `address`: of this server, null if it isn't known. */
export function toAccount(
  stored: StoredAccount,
  carrierIds: readonly string[],
  address: string | null = null,
): CarrierAccount {
  const { id, vendor, label, state, failure, carrierId, isSandbox, balance, restriction, createdAt } = stored;
  const steps = connectSteps.map((step) => {
    const done = stored.steps.find((each) => each.step === step);
    return { step, done: done !== undefined, sentence: done?.sentence ?? null };
  });
  const shared = { id, vendor, label, state, failure, steps, carrierId, isSandbox, balance, restriction, createdAt };
  const hasCarrier = carrierIds.includes(carrierId);
  return {
    ...shared,
    trunk: trunkName(stored),
    carrierRemoved: isUsable(stored) && state !== "connecting" && !hasCarrier,
    isUsed: isUsable(stored) && hasCarrier,
    addressChange:
      isCalled(stored) && address !== null && address !== stored.calledAddress
        ? { from: stored.calledAddress ?? "", to: address }
        : null,
  };
}

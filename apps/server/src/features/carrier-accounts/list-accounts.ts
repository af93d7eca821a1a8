import { setTimeout as sleep } from "node:timers/promises";
import { connectSteps } from "@leadline/adapter-kit/provisioner";
import type { AccountKind, CarrierAccount } from "@leadline/contract/carrier-accounts";
import { z } from "zod";
import type { Member } from "../../http/route.ts";
import { type AccountDeps, trunkName } from "./account-deps.ts";
import {
  type AccountCarrier,
  isUsable,
  selectAccounts,
  selectCarriers,
  type StoredAccount,
} from "./carrier-accounts.table.ts";

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
  const { stored, carriers } = await deps.database.withTransaction(scope, async (tx) => ({
    stored: await selectAccounts(tx, organisation.id),
    carriers: await selectCarriers(tx, organisation.id),
  }));
  const address = stored.some((account) => isCalled(account) && !account.isSandbox)
    ? await readAddress(deps)
    : undefined;
  return stored.map((account) => toAccount(account, carriers, address));
}

/** A slow name server must not delay the list. */
const lookUpMs = 1_000;

/** Undefined if it isn't known at this moment. */
const readAddress = ({ publicAddress }: Pick<AccountDeps, "publicAddress">): Promise<string | null | undefined> =>
  Promise.race([publicAddress().catch(() => undefined), sleep(lookUpMs, undefined, { ref: false })]);

/** Its vendor calls this server's address. */
const isCalled = ({ calledAddress, state }: StoredAccount): boolean =>
  calledAddress !== null && (state === "connected" || state === "failed");

/** `address`: this server's. Null if it has none; undefined if it isn't known. */
export function toAccount(
  stored: StoredAccount,
  carriers: readonly AccountCarrier[],
  address?: string | null,
): CarrierAccount {
  const { id, vendor, label, state, failure, carrierId, isSandbox, balance, restriction, createdAt } = stored;
  const steps = connectSteps.map((step) => {
    const done = stored.steps.find((each) => each.step === step);
    return { step, done: done !== undefined, sentence: done?.sentence ?? null };
  });
  const shared = { id, vendor, label, state, failure, steps, carrierId, isSandbox, balance, restriction, createdAt };
  const carrier = carriers.find((each) => each.id === carrierId);
  return {
    ...shared,
    trunk: trunkName(stored),
    carrierRemoved: isUsable(stored) && state !== "connecting" && !carrier,
    isUsed: isUsable(stored) && carrier !== undefined,
    addressChange: addressChangeOf(stored, carrier, address),
  };
}

function addressChangeOf(
  stored: StoredAccount,
  carrier: AccountCarrier | undefined,
  address: string | null | undefined,
): CarrierAccount["addressChange"] {
  const { calledAddress: from, localPort: port, isSandbox } = stored;
  if (from === null || !isCalled(stored)) return null;
  // A sandbox is on this machine and stays there.
  const to = isSandbox || address === undefined ? from : address;
  const portNow = carrier?.localPort ?? port;
  if (portNow === port) return to === from ? null : { from, to };
  return { from: `${from}:${port}`, to: to === null || portNow === 0 ? null : `${to}:${portNow}` };
}

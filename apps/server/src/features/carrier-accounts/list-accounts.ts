import { connectSteps } from "@leadline/adapter-kit/provisioner";
import type { AccountKind, CarrierAccount } from "@leadline/contract/carrier-accounts";
import { z } from "zod";
import type { Member } from "../../http/route.ts";
import { type AccountDeps, trunkName } from "./account-deps.ts";
import { selectAccounts, type StoredAccount } from "./carrier-accounts.table.ts";

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
  const stored = await deps.database.withTransaction(scope, (tx) => selectAccounts(tx, organisation.id));
  return stored.map(toAccount);
}

export function toAccount(stored: StoredAccount): CarrierAccount {
  const { id, vendor, label, state, failure, carrierId, isSandbox, balance, restriction, createdAt } = stored;
  const steps = connectSteps.map((step) => {
    const done = stored.steps.find((each) => each.step === step);
    return { step, done: done !== undefined, sentence: done?.sentence ?? null };
  });
  const trunk = trunkName(stored);
  return { id, vendor, label, state, failure, steps, trunk, carrierId, isSandbox, balance, restriction, createdAt };
}

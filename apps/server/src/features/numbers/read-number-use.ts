import type { NumberUse } from "@leadline/contract/phone-numbers";
import type { Member } from "../../http/route.ts";
import type { NumberDeps } from "./number-deps.ts";

/** Every member may see this, even those who can't see the carriers. */
export async function readNumberUse(deps: NumberDeps, { organisation, userId }: Member): Promise<NumberUse> {
  const scope = { userId, organisationId: organisation.id };
  const [own, accounts] = await Promise.all([
    deps.carrierInUse(organisation.id),
    deps.database.withTransaction(scope, (tx) => deps.accounts.list(tx, organisation.id)),
  ]);
  const { id } = deps.carriers.ofInstallation();
  const name = deps.carriers.find(id)?.name ?? id;
  const sellers = accounts.map((account) => ({
    accountId: account.id,
    name: account.vendorName,
    label: account.label,
    isSandbox: account.isSandbox,
  }));
  const usesNumbers = own === null || own.kind === id;
  const used = accounts.find(({ carrierId }) => carrierId === own?.id);
  return {
    carrier: own?.label ?? name,
    usesNumbers,
    isSandbox: used?.isSandbox ?? usesNumbers,
    accountId: used?.id ?? null,
    // First the one whose trunk calls use.
    sellers:
      sellers.length === 0
        ? [{ accountId: null, name, label: name, isSandbox: true }]
        : sellers.toSorted((one, other) => Number(isUsed(other)) - Number(isUsed(one))),
  };

  function isUsed({ accountId }: { accountId: string }): boolean {
    return accountId === used?.id;
  }
}

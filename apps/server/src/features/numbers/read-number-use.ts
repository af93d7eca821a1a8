import type { NumberUse } from "@leadline/contract/phone-numbers";
import type { Member } from "../../http/route.ts";
import type { NumberDeps } from "./number-deps.ts";

/** Every member may know it, also those who may not see the carriers. */
export async function readNumberUse(deps: NumberDeps, { organisation, userId }: Member): Promise<NumberUse> {
  const scope = { userId, organisationId: organisation.id };
  const own = await deps.database.withTransaction(scope, (tx) => deps.findCarrierInUse(tx, organisation.id));
  const { id } = deps.carriers.ofInstallation();
  return { carrier: own?.label ?? deps.carriers.find(id)?.name ?? id, usesNumbers: own === null || own.kind === id };
}

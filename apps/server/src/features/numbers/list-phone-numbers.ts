import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import type { Member } from "../../http/route.ts";
import { type NumberDeps, toPhoneNumber } from "./number-deps.ts";
import { selectOwned } from "./phone-numbers.table.ts";

export async function listPhoneNumbers(deps: NumberDeps, { organisation, userId }: Member): Promise<PhoneNumber[]> {
  const scope = { userId, organisationId: organisation.id };
  const owned = await deps.database.withTransaction(scope, (tx) => selectOwned(tx, organisation.id));
  return owned.map((order) => toPhoneNumber(deps, order));
}

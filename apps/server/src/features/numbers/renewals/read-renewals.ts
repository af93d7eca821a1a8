import type { NumberRenewals } from "@leadline/contract/phone-numbers";
import type { Member } from "../../../http/route.ts";
import type { NumberDeps } from "../number-deps.ts";
import { selectRenewals, sumDueSoon } from "./renewals.table.ts";

export function readRenewals(
  { database }: Pick<NumberDeps, "database">,
  { organisation, userId }: Member,
): Promise<NumberRenewals> {
  const organisationId = organisation.id;
  return database.readInTransaction({ userId, organisationId }, async (tx) => ({
    renewals: await selectRenewals(tx, organisationId),
    dueSoon: await sumDueSoon(tx, organisationId),
  }));
}

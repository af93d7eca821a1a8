import type { CarrierConnection } from "@leadline/contract/carriers";
import type { Member } from "../../http/route.ts";
import { type CarrierDeps, noCarrier } from "./carrier-deps.ts";
import { lockCarriers, selectCarriers, useCarriers } from "./carriers.table.ts";
import { toConnection } from "./list-carriers.ts";

/** Calls go to the first one, and to the next if it can't place them. */
export async function orderCarriers(
  deps: CarrierDeps,
  { userId, organisation }: Member,
  ids: readonly string[],
): Promise<CarrierConnection[]> {
  const organisationId = organisation.id;
  const all = await deps.database.withTransaction({ userId, organisationId }, async (tx) => {
    await lockCarriers(tx, organisationId);
    const known = new Set((await selectCarriers(tx, { organisationId })).map(({ id }) => id));
    if (ids.some((id) => !known.has(id))) throw noCarrier();
    await useCarriers(tx, organisationId, [...new Set(ids)]);
    return selectCarriers(tx, { organisationId });
  });
  const unused = all.filter(({ inUse }) => !inUse).map(({ id }) => id);
  await deps.ownCarriers.changed(organisationId, unused);
  return Promise.all(all.map((stored) => toConnection(deps, stored)));
}

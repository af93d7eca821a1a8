import type { Tx } from "../../db/transaction.ts";
import type { Member } from "../../http/route.ts";
import { type CarrierDeps, noCarrier } from "./carrier-deps.ts";
import { deleteCarrier, lockCarriers } from "./carriers.table.ts";

/** Live calls through it continue until they end. */
export async function removeCarrier(deps: CarrierDeps, caller: Member, carrierId: string): Promise<void> {
  const organisationId = caller.organisation.id;
  await deps.database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    await lockCarriers(tx, organisationId);
    if (!(await deleteCarrier(tx, { organisationId, carrierId }))) throw noCarrier();
  });
  await deps.ownCarriers.changed(organisationId, [carrierId]);
}

/** Idempotent. Report it to `ownCarriers` once it is committed. */
export async function dropCarrier(tx: Tx, carrier: { organisationId: string; carrierId: string }): Promise<void> {
  await lockCarriers(tx, carrier.organisationId);
  await deleteCarrier(tx, carrier);
}

import { asLeadline } from "../../db/as-leadline.ts";
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

/** Idempotent, and works without a caller. */
export async function dropCarrier(
  deps: Pick<CarrierDeps, "database" | "ownCarriers">,
  { organisationId, carrierId }: { organisationId: string; carrierId: string },
): Promise<void> {
  await deps.database.withTransaction({ organisationId }, async (tx) => {
    await lockCarriers(tx, organisationId);
    await asLeadline(tx, "carrier-account.disconnected", () => deleteCarrier(tx, { organisationId, carrierId }));
  });
  await deps.ownCarriers.changed(organisationId, [carrierId]);
}

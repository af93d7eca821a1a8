import type { CarrierTrace } from "@leadline/contract/carriers";
import type { Member } from "../../http/route.ts";
import { type CarrierDeps, noCarrier } from "./carrier-deps.ts";
import { selectCarriers } from "./carriers.table.ts";

export async function readCarrierTrace(deps: CarrierDeps, caller: Member, carrierId: string): Promise<CarrierTrace> {
  const organisationId = caller.organisation.id;
  const scope = { userId: caller.userId, organisationId };
  const [stored] = await deps.database.withTransaction(scope, (tx) =>
    selectCarriers(tx, { organisationId, carrierId }),
  );
  if (!stored) throw noCarrier();
  return deps.ownCarriers.traceOf(stored.id);
}

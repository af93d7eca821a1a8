import type { Tx } from "../../db/transaction.ts";
import { selectCarriers } from "./carriers.table.ts";

/** The organisation's own carrier in use. Null if its calls use the installation's. */
export async function findCarrierInUse(
  tx: Tx,
  organisationId: string,
): Promise<{ id: string; kind: string; label: string } | null> {
  const [inUse] = await selectCarriers(tx, { organisationId, inUse: true });
  return inUse ? { id: inUse.id, kind: inUse.kind, label: inUse.label } : null;
}

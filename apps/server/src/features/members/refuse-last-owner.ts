import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { countOwners } from "./members.table.ts";

/** Within takeTurn. An organisation without an owner could never be given one again. */
export async function refuseLastOwner(tx: Tx, organisationId: string): Promise<void> {
  if ((await countOwners(tx, organisationId)) > 1) return;
  throw new Problem("last-owner", "An organisation needs an owner. Make another member an owner first.");
}

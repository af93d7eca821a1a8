import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { countOwners } from "./members.table.ts";

/** Call it within takeTurn. An organisation that has lost its last owner could never get another. */
export async function refuseLastOwner(tx: Tx, organisationId: string): Promise<void> {
  if ((await countOwners(tx, organisationId)) > 1) return;
  throw new Problem("last-owner", "An organisation needs an owner. Make another member an owner first.");
}

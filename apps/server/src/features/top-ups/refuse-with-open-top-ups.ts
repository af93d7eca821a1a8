import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { countOpen, lockTopUps } from "./top-ups.table.ts";

/**
 * Refuses to delete an organisation with an open top-up, whose payment would be lost. None can be started until the
 * transaction ends.
 */
export async function refuseWithOpenTopUps(tx: Tx, organisationId: string): Promise<void> {
  await lockTopUps(tx, organisationId);
  if ((await countOpen(tx, organisationId)) > 0)
    throw new Problem(
      "organisation-in-use",
      "A top-up is still waiting for payment. Switch to it and cancel that under Billing first.",
    );
}

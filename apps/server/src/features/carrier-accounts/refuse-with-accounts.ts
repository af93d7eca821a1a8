import { Problem } from "../../http/problem.ts";
import type { Tx } from "../../db/transaction.ts";
import { selectAccounts } from "./carrier-accounts.table.ts";

/** Refuses to delete an organisation while it has accounts: what it created at a vendor could no longer be removed. */
export async function refuseWithAccounts(tx: Tx, organisationId: string): Promise<void> {
  const [first] = await selectAccounts(tx, organisationId);
  if (first)
    throw new Problem(
      "organisation-in-use",
      `Its account ${first.label} is still connected. Act inside it and disconnect that under Settings, Carriers first.`,
    );
}

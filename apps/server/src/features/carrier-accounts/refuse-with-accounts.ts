import { Problem } from "../../http/problem.ts";
import type { Tx } from "../../db/transaction.ts";
import { selectAccounts } from "./carrier-accounts.table.ts";

/** For the end of an organisation: nobody could remove any more what it made at a vendor. */
export async function refuseWithAccounts(tx: Tx, organisationId: string): Promise<void> {
  const [first] = await selectAccounts(tx, organisationId);
  if (first)
    throw new Problem(
      "organisation-in-use",
      `Its account ${first.label} is still connected. Act inside it and disconnect that under Settings, Carriers first.`,
    );
}

import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { inDollars } from "../../in-dollars.ts";
import { requireOrganisation } from "../organisations/find-organisation.ts";

/** Refuses to delete an organisation whose balance would be lost. */
export async function refuseWithBalance(tx: Tx, key: { userId: string; organisationId: string }): Promise<void> {
  const { balance } = await requireOrganisation(tx, key);
  if (balance !== 0) throw balanceLeft(balance);
}

function balanceLeft(micros: number): Problem {
  const dollars = inDollars(Math.abs(micros));
  return new Problem(
    "organisation-in-use",
    micros > 0
      ? `${dollars} remains on its balance and would be lost. Use it, or ask the administrator of this server to pay it out first.`
      : `${dollars} is still owed on its balance. Settle it first.`,
  );
}

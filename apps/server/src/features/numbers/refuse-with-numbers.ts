import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { countNumbers, lockNumbers } from "./phone-numbers.table.ts";

/**
 * Refuses to delete an organisation while it has numbers, which it could no longer release. None can be bought until
 * the transaction ends.
 */
export async function refuseWithNumbers(tx: Tx, organisationId: string): Promise<void> {
  await lockNumbers(tx, organisationId);
  const { owned, unsettled } = await countNumbers(tx, organisationId);
  if (owned > 0)
    throw new Problem(
      "organisation-in-use",
      `It still has ${owned === 1 ? "a phone number" : `${owned} phone numbers`}, with a fee for each month. Switch to it and release ${owned === 1 ? "it" : "them"} under Phone numbers first.`,
    );
  if (unsettled > 0)
    throw new Problem(
      "organisation-in-use",
      "A phone number purchase or release is still in progress. Try again in a few minutes.",
    );
}

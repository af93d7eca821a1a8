import type { Tx } from "../../db/transaction.ts";
import { selectHoldersForOthers } from "./phone-numbers.table.ts";

/** Those of these numbers that another organisation has bought here or is buying, without saying which. */
export async function numbersOfOthers(
  tx: Tx,
  { organisationId, numbers }: { organisationId: string; numbers: readonly string[] },
): Promise<string[]> {
  if (numbers.length === 0) return [];
  const holders = await selectHoldersForOthers(tx, numbers);
  return holders.filter((holder) => holder.organisationId !== organisationId).map(({ number }) => number);
}

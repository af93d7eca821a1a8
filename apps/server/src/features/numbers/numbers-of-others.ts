import type { Tx } from "../../db/transaction.ts";
import { selectHoldersForOthers } from "./holders.table.ts";

/**
 * Those of these numbers that another organisation has bought here or is buying, without saying which. Those bought in a
 * sandbox don't count: they keep nobody from showing a number of their own.
 */
export async function realNumbersOfOthers(
  tx: Tx,
  { organisationId, numbers }: { organisationId: string; numbers: readonly string[] },
): Promise<string[]> {
  const holders = await selectHoldersForOthers(tx, { isSandbox: false }, numbers);
  return holders.filter((holder) => holder.organisationId !== organisationId).map(({ number }) => number);
}

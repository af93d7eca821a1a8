import type { Tx } from "../../db/transaction.ts";
import { selectHoldersForOthers } from "./phone-numbers.table.ts";

interface Asked {
  organisationId: string;
  numbers: readonly string[];
}

/** Those of these numbers that another organisation has bought here or is buying, without saying which. */
export const numbersOfOthers = async (tx: Tx, asked: Asked): Promise<string[]> =>
  (await heldByOthers(tx, asked)).map(({ number }) => number);

/** The same without those bought in a sandbox, which keep nobody from showing a number of their own. */
export const realNumbersOfOthers = async (tx: Tx, asked: Asked): Promise<string[]> =>
  (await heldByOthers(tx, asked)).filter((holder) => !holder.isOfSandbox).map(({ number }) => number);

async function heldByOthers(tx: Tx, { organisationId, numbers }: Asked) {
  if (numbers.length === 0) return [];
  const holders = await selectHoldersForOthers(tx, numbers);
  return holders.filter((holder) => holder.organisationId !== organisationId);
}

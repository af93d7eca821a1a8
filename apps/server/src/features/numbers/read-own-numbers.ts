import type { Tx } from "../../db/transaction.ts";
import { selectShowable } from "./caller-ids-of-numbers.table.ts";
import { selectOwned } from "./phone-numbers.table.ts";

/** E.164 of the numbers that the organisation has bought. */
export const readOwnNumbers = async (tx: Tx, organisationId: string): Promise<string[]> =>
  (await selectOwned(tx, organisationId)).map(({ number }) => number);

/**
 * E.164 of those that calls through this carrier may show without verification. A number bought in a sandbox may be a
 * stranger's, so it counts only on the trunk of that sandbox. `connectionId` null: the installation's carrier.
 */
export const readShowableNumbers = (
  tx: Tx,
  through: { organisationId: string; connectionId: string | null },
): Promise<string[]> => selectShowable(tx, through);

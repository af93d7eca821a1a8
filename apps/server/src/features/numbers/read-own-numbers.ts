import type { Tx } from "../../db/transaction.ts";
import { selectOwned } from "./phone-numbers.table.ts";

/** E.164 of the numbers that the organisation has bought. */
export const readOwnNumbers = async (tx: Tx, organisationId: string): Promise<string[]> =>
  (await selectOwned(tx, organisationId)).map(({ number }) => number);

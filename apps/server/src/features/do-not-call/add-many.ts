import type { Tx } from "../../db/transaction.ts";
import { putManyDoNotCall } from "./do-not-call.table.ts";

/** By hand; numbers that are listed stay as they are, but no longer depend on a call. Answers how many are new. */
export const addManyToDoNotCall = (
  tx: Tx,
  numbers: { organisationId: string; userId: string; phoneNumbers: readonly string[] },
): Promise<number> => putManyDoNotCall(tx, numbers);

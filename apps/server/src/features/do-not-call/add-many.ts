import type { Tx } from "../../db/transaction.ts";
import { putManyDoNotCall } from "./do-not-call.table.ts";

/** Adds numbers by hand. Listed numbers stay, but no longer depend on a call. Returns how many are new. */
export const addManyToDoNotCall = (
  tx: Tx,
  numbers: { organisationId: string; userId: string; phoneNumbers: readonly string[] },
): Promise<number> => putManyDoNotCall(tx, numbers);

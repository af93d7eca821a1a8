import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { hasLiveCall } from "./calls.table.ts";

/** For changes that would take the person away from the organisation in which they are talking. */
export async function refuseDuringCall(tx: Tx, userId: string): Promise<void> {
  if (await hasLiveCall(tx, userId))
    throw new Problem("call-in-progress", "You are in a call. Hang up before you change your organisation.");
}

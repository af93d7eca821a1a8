import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { hasLiveCallOf, isOnLine } from "./lines-of-people.table.ts";

/** For changes that would take the person away from the organisation in which they are talking. */
export async function refuseDuringCall(tx: Tx, userId: string): Promise<void> {
  if (await isOnLine(tx, userId))
    throw new Problem("call-in-progress", "You’re on a call. Hang up before you switch organisations.");
}

/** For the end of an organisation: of anybody in it. */
export async function refuseDuringCallsOf(tx: Tx, organisationId: string): Promise<void> {
  if (await hasLiveCallOf(tx, organisationId))
    throw new Problem(
      "organisation-in-use",
      "Someone in this organisation is on a call. Delete it once all calls have ended.",
    );
}

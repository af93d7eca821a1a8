import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { hasLiveCallOf, isOnLine } from "./lines-of-people.table.ts";

/** Refuses a change that would take the person out of the organisation in which they are on a call. `to` finishes the sentence. */
export async function refuseDuringCall(tx: Tx, userId: string, to = "switch organisations"): Promise<void> {
  if (await isOnLine(tx, userId)) throw new Problem("call-in-progress", `You’re on a call. Hang up before you ${to}.`);
}

/** Refuses to give a person a call while they are in another. One that continues without them doesn't count. */
export async function refuseSecondCall(tx: Tx, userId: string): Promise<void> {
  if (await isOnLine(tx, userId))
    throw new Problem("call-in-progress", "You’re already on a call. Hang up before you answer another.");
}

/** Refuses to delete an organisation while anyone in it is on a call. */
export async function refuseDuringCallsOf(tx: Tx, organisationId: string): Promise<void> {
  if (await hasLiveCallOf(tx, organisationId))
    throw new Problem(
      "organisation-in-use",
      "Someone in this organisation is on a call. Delete it once all calls have ended.",
    );
}

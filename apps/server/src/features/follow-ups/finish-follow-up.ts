import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { isKnownNumber } from "./follow-ups.table.ts";
import { setFollowUp } from "./set-follow-up.ts";

interface FinishFollowUp {
  caller: Member;
  phoneNumber: string;
  /** Null takes the number off the list. */
  day: string | null;
}

/** By any member, whoever made the last call: the list to call back is everybody's. */
export async function finishFollowUp(database: Database, { caller, phoneNumber, day }: FinishFollowUp): Promise<void> {
  const key = { organisationId: caller.organisation.id, phoneNumber };
  await database.withTransaction({ organisationId: key.organisationId, userId: caller.userId }, async (tx) => {
    if (!(await isKnownNumber(tx, key)))
      throw new Problem("not-found", "No call or lead in your organisation has this number.");
    await setFollowUp(tx, key, day);
  });
}

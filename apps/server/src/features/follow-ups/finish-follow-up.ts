import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { refusePastDay } from "../organisations/refuse-past-day.ts";
import { isKnownNumber } from "./follow-ups.table.ts";
import { setFollowUp } from "./set-follow-up.ts";

interface FinishFollowUp {
  caller: Member;
  phoneNumber: string;
  /** Null takes the number off the list. */
  day: string | null;
  /** Undoes it: the day may be over. */
  putBack?: boolean | undefined;
}

/** By any member, whoever made the last call: the list to call back is everybody's. */
export async function finishFollowUp(
  database: Database,
  { caller, phoneNumber, day, putBack }: FinishFollowUp,
): Promise<void> {
  const key = { organisationId: caller.organisation.id, phoneNumber };
  await database.withTransaction({ organisationId: key.organisationId, userId: caller.userId }, async (tx) => {
    if (!(await isKnownNumber(tx, key)))
      throw new Problem("not-found", "No call or lead in your organisation has this number.");
    if (!putBack) await refusePastDay(tx, { organisationId: key.organisationId, day, current: null });
    await setFollowUp(tx, key, day);
  });
}

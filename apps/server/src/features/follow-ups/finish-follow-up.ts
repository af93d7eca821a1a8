import type { HandlerInput } from "@leadline/contract/endpoint";
import type { setFollowUp as endpoint } from "@leadline/contract/follow-ups";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { decideFollowUp } from "./decide-follow-up.ts";
import { findFollowUpOfNumber, isKnownNumber } from "./follow-ups.table.ts";
import { setFollowUp } from "./set-follow-up.ts";
import { noFollowUp } from "./stored-follow-up.ts";

interface FinishFollowUp {
  caller: Member;
  phoneNumber: string;
  /** Without a day, the number is removed from the list. */
  change: HandlerInput<typeof endpoint>["body"];
}

/** Any member may do this, whoever made the last call: the list is shared. */
export async function finishFollowUp(
  database: Database,
  { caller, phoneNumber, change }: FinishFollowUp,
): Promise<void> {
  const key = { organisationId: caller.organisation.id, phoneNumber };
  await database.withTransaction({ organisationId: key.organisationId, userId: caller.userId }, async (tx) => {
    if (!(await isKnownNumber(tx, key)))
      throw new Problem("not-found", "No call or lead in your organisation has this number.");
    const current = await findFollowUpOfNumber(tx, key);
    await setFollowUp(tx, key, (await decideFollowUp(tx, { caller, current, change })) ?? noFollowUp);
  });
}

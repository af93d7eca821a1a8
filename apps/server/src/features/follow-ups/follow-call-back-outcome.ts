import type { Tx } from "../../db/transaction.ts";
import type { Member } from "../../http/route.ts";
import { isCallBackOutcome } from "../call-outcomes/is-call-back-outcome.ts";
import { requireOrganisation } from "../organisations/find-organisation.ts";
import { clockIn } from "./decide-follow-up.ts";
import { nextWorkingDay } from "./next-working-day.ts";
import { setFollowUp } from "./set-follow-up.ts";
import type { StoredFollowUp } from "./stored-follow-up.ts";

interface ChosenOutcome {
  caller: Member;
  phoneNumber: string;
  leadId: string | null;
  outcomeId: string;
  /** The current follow-up. */
  current: StoredFollowUp;
}

/**
 * An outcome that means calling back sets the next working day for the caller, unless a callback is already set for
 * later.
 */
export async function followCallBackOutcome(tx: Tx, chosen: ChosenOutcome): Promise<void> {
  const { caller, phoneNumber, leadId, outcomeId, current } = chosen;
  const organisationId = caller.organisation.id;
  const nobody = phoneNumber === "" && leadId === null;
  if (nobody || !(await isCallBackOutcome(tx, { organisationId, id: outcomeId }))) return;
  const { timeZone, openingHours } = await requireOrganisation(tx, { userId: caller.userId, organisationId });
  const now = clockIn(timeZone);
  if (current.day !== null && `${current.day} ${current.time ?? "00:00"}` > `${now.day} ${now.time}`) return;
  const day = nextWorkingDay(now.day, openingHours);
  await setFollowUp(tx, { organisationId, phoneNumber, leadId }, { day, time: null, ownerId: caller.userId });
}

import type { Tx } from "../../db/transaction.ts";
import type { Member } from "../../http/route.ts";
import { isCallBackOutcome } from "../call-outcomes/is-call-back-outcome.ts";
import { requireOrganisation } from "../organisations/find-organisation.ts";
import { nextWorkingDay } from "./next-working-day.ts";
import { setFollowUp } from "./set-follow-up.ts";

interface ChosenOutcome {
  caller: Member;
  phoneNumber: string;
  leadId: string | null;
  outcomeId: string;
  /** The day that stands. */
  followUpOn: string | null;
}

/** An outcome that means calling back sets the day for it, the next working one, unless one that is still to come stands. */
export async function followCallBackOutcome(tx: Tx, chosen: ChosenOutcome): Promise<void> {
  const { caller, phoneNumber, leadId, outcomeId, followUpOn } = chosen;
  const organisationId = caller.organisation.id;
  const nobody = phoneNumber === "" && leadId === null;
  if (nobody || !(await isCallBackOutcome(tx, { organisationId, id: outcomeId }))) return;
  const { timeZone, openingHours } = await requireOrganisation(tx, { userId: caller.userId, organisationId });
  const today = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(new Date());
  if (followUpOn !== null && followUpOn > today) return;
  await setFollowUp(tx, { organisationId, phoneNumber, leadId }, nextWorkingDay(today, openingHours));
}

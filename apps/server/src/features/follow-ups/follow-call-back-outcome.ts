import type { Tx } from "../../db/transaction.ts";
import type { Member } from "../../http/route.ts";
import { isCallBackOutcome } from "../call-outcomes/is-call-back-outcome.ts";
import { requireOrganisation } from "../organisations/find-organisation.ts";
import { nextWorkingDay } from "./next-working-day.ts";
import { setFollowUp } from "./set-follow-up.ts";
import type { StoredFollowUp } from "./stored-follow-up.ts";

interface ChosenOutcome {
  caller: Member;
  phoneNumber: string;
  leadId: string | null;
  outcomeId: string;
  /** What is set so far. */
  current: StoredFollowUp;
}

/** An outcome that means calling back sets the next working day for the caller, unless a later day is set. */
export async function followCallBackOutcome(tx: Tx, chosen: ChosenOutcome): Promise<void> {
  const { caller, phoneNumber, leadId, outcomeId, current } = chosen;
  const organisationId = caller.organisation.id;
  const nobody = phoneNumber === "" && leadId === null;
  if (nobody || !(await isCallBackOutcome(tx, { organisationId, id: outcomeId }))) return;
  const { timeZone, openingHours } = await requireOrganisation(tx, { userId: caller.userId, organisationId });
  const today = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(new Date());
  if (current.day !== null && current.day > today) return;
  const day = nextWorkingDay(today, openingHours);
  await setFollowUp(tx, { organisationId, phoneNumber, leadId }, { day, time: null, ownerId: caller.userId });
}

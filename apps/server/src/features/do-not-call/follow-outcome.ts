import type { Tx } from "../../db/transaction.ts";
import { isDoNotCallOutcome } from "../call-outcomes/is-do-not-call-outcome.ts";
import { deleteDoNotCallOfCall, insertDoNotCall } from "./do-not-call.table.ts";

interface ChosenOutcome {
  organisationId: string;
  userId: string;
  callSid: string;
  phoneNumber: string;
  outcomeId: string | null;
}

/** An outcome that says so puts the call's number on the list; correcting it takes off what it put there. */
export async function followOutcome(tx: Tx, { outcomeId, ...call }: ChosenOutcome): Promise<void> {
  const { organisationId, callSid } = call;
  if (outcomeId !== null && (await isDoNotCallOutcome(tx, { organisationId, id: outcomeId })))
    await insertDoNotCall(tx, call);
  else await deleteDoNotCallOfCall(tx, { organisationId, callSid });
}

import { isAdmin } from "@leadline/contract/organisations";
import type { Tx } from "../../db/transaction.ts";
import type { Member } from "../../http/route.ts";
import { isDoNotCallOutcome } from "../call-outcomes/is-do-not-call-outcome.ts";
import {
  deleteDoNotCall,
  findAdderByCall,
  hangOnAnotherCall,
  lockDoNotCall,
  putDoNotCall,
  releaseFromCall,
} from "./do-not-call.table.ts";

interface ChosenOutcome {
  caller: Member;
  callSid: string;
  phoneNumber: string;
  outcomeId: string | null;
}

/**
 * An outcome marked do-not-call adds the call's number to the list. Correcting the outcome removes the number only if
 * no other call has such an outcome, and only if the caller could remove it by hand.
 */
export async function followOutcome(tx: Tx, { caller, callSid, phoneNumber, outcomeId }: ChosenOutcome): Promise<void> {
  const { userId, organisation } = caller;
  const organisationId = organisation.id;
  const byAdmin = isAdmin(organisation.role);
  await lockDoNotCall(tx, { organisationId, phoneNumber });
  if (outcomeId !== null && (await isDoNotCallOutcome(tx, { organisationId, id: outcomeId })))
    return putDoNotCall(tx, { organisationId, phoneNumber, userId, isAdmin: byAdmin, callSid });
  const adder = await findAdderByCall(tx, { organisationId, callSid });
  if (adder === null || (await hangOnAnotherCall(tx, { organisationId, callSid }))) return;
  if (byAdmin || adder.userId === userId) await deleteDoNotCall(tx, { organisationId, phoneNumber });
  else await releaseFromCall(tx, { organisationId, callSid });
}

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
 * An outcome that says so puts the call's number on the list. Correcting it takes the number off only where no other
 * call says the same, and only for whom taking it off by hand would be allowed to: otherwise it stands on.
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

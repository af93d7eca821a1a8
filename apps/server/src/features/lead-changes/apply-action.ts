import type { LeadChangeAction } from "@leadline/contract/lead-changes";
import type { Tx } from "../../db/transaction.ts";
import { addManyToDoNotCall } from "../do-not-call/add-many.ts";
import { changeManyLeads, numbersOfLeads } from "../leads/edit/change-many.ts";

interface ApplyAction {
  organisationId: string;
  userId: string;
  /** The id of the change. */
  id: string;
  action: LeadChangeAction;
  leadIds: readonly string[];
}

/** Returns how many leads, or numbers, it changed. */
export async function applyAction(
  tx: Tx,
  { organisationId, userId, id, action, leadIds: ids }: ApplyAction,
): Promise<number> {
  const leads = { organisationId, ids };
  if (action.kind !== "do-not-call") return changeManyLeads(tx, leads, { action, removalId: id });
  const phoneNumbers = await numbersOfLeads(tx, leads);
  return addManyToDoNotCall(tx, { organisationId, userId, phoneNumbers });
}

import type { LeadChangeAction } from "@leadline/contract/lead-changes";
import type { Tx } from "../../../db/transaction.ts";
import { selectNumbersOfLeads, setOwnerOfLeads, setStatusOfLeads } from "./change-many.table.ts";
import { hideLeads } from "../removal/removed-leads.table.ts";

interface Leads {
  organisationId: string;
  ids: readonly string[];
}

/** Returns how many it changed. A deletion hides leads under `removalId` until it is undone or purged. */
export async function changeManyLeads(
  tx: Tx,
  leads: Leads,
  { action, removalId }: { action: Exclude<LeadChangeAction, { kind: "do-not-call" }>; removalId: string },
): Promise<number> {
  if (action.kind === "owner") return setOwnerOfLeads(tx, leads, action.ownerId);
  if (action.kind === "status") return setStatusOfLeads(tx, leads, action.status);
  return hideLeads(tx, { organisationId: leads.organisationId, removalId }, leads.ids);
}

export const numbersOfLeads = (tx: Tx, leads: Leads): Promise<string[]> => selectNumbersOfLeads(tx, leads);

import type { Tx } from "../../db/transaction.ts";
import { findOnlyLead, setFollowUpOfLead, setFollowUpOfNumber } from "./follow-ups.table.ts";
import { noFollowUp, type StoredFollowUp } from "./stored-follow-up.ts";

/** Stored with the chosen lead, or the only one with the number. Otherwise with the number itself. */
export async function setFollowUp(
  tx: Tx,
  key: { organisationId: string; phoneNumber: string; leadId?: string | null },
  followUp: StoredFollowUp,
): Promise<void> {
  const leadId = key.leadId ?? (await findOnlyLead(tx, key));
  if (leadId !== null) await setFollowUpOfLead(tx, { organisationId: key.organisationId, leadId }, followUp);
  await setFollowUpOfNumber(tx, key, leadId === null ? followUp : noFollowUp);
}

import type { Tx } from "../../db/transaction.ts";
import { findOnlyLead, setFollowUpOfLead, setFollowUpOfNumber } from "./follow-ups.table.ts";

/** The day to call back, or none: kept by the lead who is meant, or by the only one that has the number. */
export async function setFollowUp(
  tx: Tx,
  key: { organisationId: string; phoneNumber: string; leadId?: string | null },
  day: string | null,
): Promise<void> {
  const leadId = key.leadId ?? (await findOnlyLead(tx, key));
  if (leadId !== null) await setFollowUpOfLead(tx, { organisationId: key.organisationId, leadId }, day);
  await setFollowUpOfNumber(tx, key, leadId === null ? day : null);
}

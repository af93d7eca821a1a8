import type { Tx } from "../../db/transaction.ts";
import { setFollowUpOfLead, setFollowUpOfNumber } from "./follow-ups.table.ts";

/** The day to call a number again, or none: kept by its lead where exactly one lead has the number. */
export async function setFollowUp(
  tx: Tx,
  key: { organisationId: string; phoneNumber: string },
  day: string | null,
): Promise<void> {
  const isLeads = await setFollowUpOfLead(tx, key, day);
  await setFollowUpOfNumber(tx, key, isLeads ? null : day);
}

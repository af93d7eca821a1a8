import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { findDoNotCall } from "./do-not-call.table.ts";

/** Call it before dialling: refuses a number on the do-not-call list. */
export async function refuseDoNotCall(tx: Tx, call: { organisationId: string; phoneNumber: string }): Promise<void> {
  const entry = await findDoNotCall(tx, call);
  if (!entry) return;
  const number = parsePhoneNumberFromString(call.phoneNumber)?.formatInternational() ?? call.phoneNumber;
  throw new Problem(
    "do-not-call",
    `${number} is on your organisation’s do-not-call list. ${entry.userName}, who added it, or an admin can remove it under Settings, Do not call.`,
  );
}

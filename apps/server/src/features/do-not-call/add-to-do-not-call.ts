import type { AddedDoNotCallEntry } from "@leadline/contract/do-not-call";
import { isAdmin } from "@leadline/contract/organisations";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";
import { refuseOverRowQuota } from "../organisations/refuse-over-row-quota.ts";
import { findDoNotCall, lockDoNotCall, putDoNotCall } from "./do-not-call.table.ts";

export async function addToDoNotCall(database: Database, caller: Member, typed: string): Promise<AddedDoNotCallEntry> {
  const organisationId = caller.organisation.id;
  const { userId } = caller;
  return database.withTransaction({ organisationId, userId }, async (tx) => {
    const parsed = parsePhoneNumberFromString(typed, await defaultCountryOf(tx, organisationId));
    if (!parsed?.isValid())
      throw new Problem(
        "phone-number-invalid",
        `“${typed}” is not a phone number. Include its country code, such as +1 202 555 0100.`,
      );
    const key = { organisationId, phoneNumber: parsed.number };
    await lockDoNotCall(tx, key);
    const alreadyListed = (await findDoNotCall(tx, key)) !== null;
    if (!alreadyListed) await refuseOverRowQuota(tx, { organisationId, table: "do_not_call", adding: 1 });
    await putDoNotCall(tx, { ...key, userId, isAdmin: isAdmin(caller.organisation.role), callSid: null });
    const entry = await findDoNotCall(tx, key);
    if (!entry) throw new Problem("unavailable", "The number was removed from the list in the meantime. Try again.");
    return { ...entry, alreadyListed };
  });
}

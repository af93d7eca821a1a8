import { emergencySentence, isEmergencyNumber } from "@leadline/contract/emergency-numbers";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Database } from "../../../db/database.ts";
import { Problem } from "../../../http/problem.ts";
import { defaultCountryOf } from "../../organisations/default-country.ts";

/** E.164 of what a person typed or pasted; a number without its country is taken for one of the organisation's own. */
export async function readDialledNumber(database: Database, organisationId: string, typed: string): Promise<string> {
  if (isEmergencyNumber(typed)) throw new Problem("phone-number-invalid", emergencySentence);
  // Nearly every number names its country, and then there is nothing to look up before the call is written.
  const country = typed.trim().startsWith("+")
    ? undefined
    : await database.withTransaction({ organisationId }, (tx) => defaultCountryOf(tx, organisationId));
  const parsed = parsePhoneNumberFromString(typed, country);
  if (parsed?.isValid()) return parsed.number;
  throw new Problem(
    "phone-number-invalid",
    `“${typed}” is not a phone number. Include its country code, such as +1 202 555 0100.`,
  );
}

import { emergencySentence, isEmergencyNumber } from "@leadline/contract/emergency-numbers";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Database } from "../../../db/database.ts";
import { Problem } from "../../../http/problem.ts";
import { defaultCountryOf } from "../../organisations/default-country.ts";

/**
 * Converts what a person typed or pasted to E.164. A number without a country code is read in the country of the
 * organisation's own numbers.
 */
export async function readDialledNumber(database: Database, organisationId: string, typed: string): Promise<string> {
  if (isEmergencyNumber(typed)) throw new Problem("phone-number-invalid", emergencySentence);
  // Nearly every number has a country code, so no lookup is needed before the call is stored.
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

import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Problem } from "../../http/problem.ts";

/** E.164 of what a person typed or pasted; a number without its country is taken for one of the United States. */
export function parsePhoneNumber(typed: string): string {
  const parsed = parsePhoneNumberFromString(typed, "US");
  if (parsed?.isValid()) return parsed.number;
  throw new Problem(
    "phone-number-invalid",
    `“${typed}” is not a phone number. Write it with its country, such as +1 202 555 0100.`,
  );
}

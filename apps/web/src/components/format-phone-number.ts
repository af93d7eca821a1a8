import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { withheldNumber } from "./withheld-number.ts";

/** +1 202 555 0100; what is no number stays as it came, and a caller's that is withheld is said to be. */
export const formatPhoneNumber = (e164: string): string =>
  e164 === "" ? withheldNumber : (parsePhoneNumberFromString(e164)?.formatInternational() ?? e164);

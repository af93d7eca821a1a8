import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { withheldNumber } from "./withheld-number.ts";

/** +1 202 555 0100; anything that isn't a number is unchanged, and a withheld one is described as such. */
export const formatPhoneNumber = (e164: string): string =>
  e164 === "" ? withheldNumber : (parsePhoneNumberFromString(e164)?.formatInternational() ?? e164);

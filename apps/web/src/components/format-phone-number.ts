import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/** +1 202 555 0100; what is no number stays as it came. */
export const formatPhoneNumber = (e164: string): string =>
  parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;

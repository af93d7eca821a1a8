import { AsYouType, parsePhoneNumberFromString } from "libphonenumber-js/min";
import metadata from "libphonenumber-js/min/metadata";
import { dialableOf } from "./dialable-characters.ts";
import { homeCountry } from "./home-country.ts";

/** Groups the digits in their country's format while they are typed. Keeps every dialable character, in order. */
export function formatAsTyped(dialable: string): string {
  if (/[*#]/.test(dialable)) return dialable;
  const formatted = new AsYouType(homeCountry()).input(dialable);
  return dialableOf(formatted) === dialable ? formatted : dialable;
}

/** E.164 if the text is a number; otherwise its dialable characters, for the server to judge. */
export function toE164(text: string): string {
  const parsed = parsePhoneNumberFromString(dialableOf(text), homeCountry());
  if (!parsed?.isPossible()) return dialableOf(text);
  // A digit too short after a leading 1: parsed as a US number it would become +1 1…, which no one typed.
  const isShort = parsed.countryCallingCode === "1" && parsed.nationalNumber.startsWith("1");
  return isShort && !dialableOf(text).startsWith("+") ? `+${parsed.nationalNumber}` : parsed.number;
}

/**
 * ISO 3166 code of the country being dialled; null for a plus sign alone or an unknown code. If countries share a code,
 * the main one until the digits distinguish them.
 */
export function countryOf(dialable: string): string | null {
  const typed = new AsYouType(homeCountry());
  typed.input(dialable);
  const country = typed.getCountry();
  if (country) return country;
  if (!dialable.startsWith("+")) return homeCountry();
  const callingCode = typed.getCallingCode();
  return (callingCode && metadata.country_calling_codes[callingCode]?.[0]) ?? null;
}

const countryNames = new Intl.DisplayNames(["en"], { type: "region" });

/** The metadata use "001" for numbers without a country. */
export const countryName = (country: string): string =>
  country === "001" ? "International" : (countryNames.of(country) ?? country);

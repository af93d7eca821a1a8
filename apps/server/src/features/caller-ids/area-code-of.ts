import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** Countries where mobile numbers have an area too (libphonenumber, getLengthOfGeographicalAreaCode). */
const mobilesWithArea: readonly string[] = ["1", "52", "54", "55"];
const withoutArea: readonly (string | undefined)[] = [
  "TOLL_FREE",
  "PREMIUM_RATE",
  "SHARED_COST",
  "VOIP",
  "UAN",
  "PAGER",
  "PERSONAL_NUMBER",
  "VOICEMAIL",
  undefined,
];
/** Countries without area codes: a number's first digits don't say where it is. */
const countriesWithoutArea: readonly (string | undefined)[] = [
  "CZ",
  "DK",
  "EE",
  "ES",
  "HK",
  "LU",
  "LV",
  "MT",
  "NO",
  "PL",
  "PT",
  "SG",
  undefined,
];

/** Country and area code, such as "1 202" or "44 20". Null if the number has no area or is invalid. */
export function areaCodeOf(number: string): string | null {
  const parsed = parsePhoneNumberFromString(number);
  if (!parsed?.isValid()) return null;
  const { country, countryCallingCode } = parsed;
  const type = parsed.getType();
  if (withoutArea.includes(type) || countriesWithoutArea.includes(country)) return null;
  if (type === "MOBILE" && !mobilesWithArea.includes(countryCallingCode)) return null;
  const [, area, ...rest] = parsed.formatInternational().split(/[\s-]/);
  return area !== undefined && rest.length > 0 ? `${countryCallingCode} ${area}` : null;
}

import type { CarrierNumber } from "@leadline/adapter-kit/carrier-numbers";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { findInStock, stockOf } from "../numbers/stock.ts";

const national = (number: string): CarrierNumber => ({
  number,
  location: null,
  region: null,
  capabilities: { voice: true, sms: false, mms: false, fax: false },
  monthlyCostMicros: 1_150_000,
  requirement: null,
});
/** By country: reserved for fiction (Ofcom, “Telephone numbers for drama use”). */
const nationalNumbers = new Map([["GB", Array.from({ length: 10 }, (_, last) => national(`+44306999012${last}`))]]);

export const sellsNational = (countryCode: string): boolean => nationalNumbers.has(countryCode);

/** What the sandbox sells anywhere, and national numbers. */
export const stockWithNational = (countryCode: string): readonly CarrierNumber[] => [
  ...stockOf(countryCode),
  ...(nationalNumbers.get(countryCode) ?? []),
];

export function isSold(number: string): boolean {
  return findInStock(number) !== null || typeOf(number) === "national";
}

export function typeOf(number: string): string {
  if ([...nationalNumbers.values()].flat().some((each) => each.number === number)) return "national";
  const type = parsePhoneNumberFromString(number)?.getType();
  return type === "TOLL_FREE" ? "toll_free" : type === "MOBILE" ? "mobile" : "local";
}

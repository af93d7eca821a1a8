import type { CarrierNumber } from "@leadline/adapter-kit/carrier-numbers";
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { callees } from "../callees.ts";
import { countriesServed, type CountryServed, type Kind, type Shelf } from "./countries-served.ts";
import { createRandom } from "./random.ts";

const atLeastACountry = 160;
const atMostAShelf = 20;
const made = new Map<string, readonly CarrierNumber[]>();

const monthlyCostMicros: Record<Kind, number> = { local: 1_150_000, mobile: 3_000_000, "toll-free": 2_150_000 };

/**
 * Everything that the sandbox sells in a country, the same at every start; areas alternate. Empty for a country that it
 * doesn't serve.
 */
export function stockOf(countryCode: string): readonly CarrierNumber[] {
  const known = made.get(countryCode);
  if (known) return known;
  const served = countriesServed.get(countryCode);
  if (!served) return [];
  const perShelf = Math.min(atMostAShelf, Math.ceil(atLeastACountry / served.shelves.length));
  const filled = served.shelves.map((shelf) => fill(countryCode, served, shelf, perShelf));
  const stock = Array.from({ length: perShelf }, (_, turn) => filled.flatMap((numbers) => numbers[turn] ?? [])).flat();
  made.set(countryCode, stock);
  return stock;
}

/** Null if the sandbox never sells it. */
export function findInStock(number: string): CarrierNumber | null {
  const country = parsePhoneNumberFromString(number)?.country;
  return (country && stockOf(country).find((known) => known.number === number)) ?? null;
}

function fill(countryCode: string, served: CountryServed, shelf: Shelf, count: number): CarrierNumber[] {
  if (!isSupportedCountry(countryCode)) return [];
  const { kind, digits, location, region } = shelf;
  const random = createRandom(`${countryCode} ${digits}`);
  const dialCode = getCountryCallingCode(countryCode);
  const prefix = `+${dialCode}${digits.replaceAll(" ", "")}`;
  const isNorthAmerican = dialCode === "1";
  const numbers = new Map<string, CarrierNumber>();
  // A template may have fewer numbers than requested.
  for (let tries = 0; numbers.size < count && tries < count * 20; tries += 1) {
    const parsed = parsePhoneNumberFromString(prefix.replaceAll("x", () => String(random.below(10))));
    if (!parsed?.isValid() || parsed.country !== countryCode) continue;
    // Callees' numbers, which no caller can have.
    if (parsed.number in callees || numbers.has(parsed.number)) continue;
    const isLucky = () => random.below(2) === 0;
    numbers.set(parsed.number, {
      number: parsed.number,
      location,
      region,
      capabilities: {
        voice: true,
        sms: isNorthAmerican || kind === "mobile" || (kind === "local" && isLucky()),
        mms: isNorthAmerican,
        fax: kind === "local" && isLucky(),
      },
      monthlyCostMicros: monthlyCostMicros[kind],
      requirement: served.requirement,
    });
  }
  return [...numbers.values()];
}

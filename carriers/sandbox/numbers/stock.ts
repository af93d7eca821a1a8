import type { CarrierNumber } from "@leadline/adapter-kit/carrier";
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { callees } from "../callees.ts";
import { americas } from "./americas.ts";
import { asiaPacificAndAfrica } from "./asia-pacific-and-africa.ts";
import type { CountryStock, NumberKind } from "./country-stock.ts";
import { northernAndEasternEurope } from "./northern-and-eastern-europe.ts";
import { createRandom } from "./random.ts";
import { westernEurope } from "./western-europe.ts";

const countries: Record<string, CountryStock> = {
  ...americas,
  ...westernEurope,
  ...northernAndEasternEurope,
  ...asiaPacificAndAfrica,
};

/** ISO 3166-1. */
export const countriesServed: readonly string[] = Object.keys(countries);

const atLeastACountry = 160;
const atMostAnArea = 20;
const made = new Map<string, readonly CarrierNumber[]>();

/** Everything the sandbox would sell in a country, the same at every start; areas take turns. Empty for a country it does not serve. */
export function stockOf(countryCode: string): readonly CarrierNumber[] {
  const known = made.get(countryCode);
  if (known) return known;
  const { local, mobile, tollFree } = countries[countryCode] ?? {};
  const shelves = [
    ...(local ? shelvesOf(countryCode, local) : []),
    ...(mobile ? shelvesOf(countryCode, mobile) : []),
    ...(tollFree ? shelvesOf(countryCode, tollFree) : []),
  ];
  const perShelf = Math.min(atMostAnArea, Math.ceil(atLeastACountry / shelves.length));
  const filled = shelves.map((shelf) => fill(countryCode, shelf, perShelf));
  const stock = Array.from({ length: perShelf }, (_, turn) => filled.flatMap((numbers) => numbers[turn] ?? [])).flat();
  made.set(countryCode, stock);
  return stock;
}

/** Null where the sandbox never sells it. */
export function findInStock(number: string): CarrierNumber | null {
  const country = parsePhoneNumberFromString(number)?.country;
  return (country && stockOf(country).find((known) => known.number === number)) ?? null;
}

interface Shelf {
  digits: string;
  location: string | null;
  region: string | null;
  kind: NumberKind;
}

function shelvesOf(countryCode: string, kind: NumberKind): Shelf[] {
  if (typeof kind.areas === "string") return [{ digits: kind.areas, location: null, region: null, kind }];
  return kind.areas.map(([digits, location, region]) => ({ digits, location, region, kind }));
}

function fill(countryCode: string, { digits, location, region, kind }: Shelf, count: number): CarrierNumber[] {
  if (!isSupportedCountry(countryCode)) return [];
  const random = createRandom(`${countryCode} ${digits}`);
  const prefix = `+${getCountryCallingCode(countryCode)}${digits.replaceAll(" ", "")}`;
  const numbers = new Map<string, CarrierNumber>();
  // A template may leave fewer numbers than asked for.
  for (let tries = 0; numbers.size < count && tries < count * 20; tries += 1) {
    const parsed = parsePhoneNumberFromString(prefix.replaceAll("x", () => String(random.below(10))));
    if (!parsed?.isValid() || parsed.country !== countryCode) continue;
    // Those play the other end of a call, and nobody calls as one of them.
    if (parsed.number in callees || numbers.has(parsed.number)) continue;
    const can = [...kind.always, ...(kind.some ?? []).filter(() => random.below(2) === 0)];
    numbers.set(parsed.number, {
      number: parsed.number,
      location,
      region,
      capabilities: {
        voice: can.includes("voice"),
        sms: can.includes("sms"),
        mms: can.includes("mms"),
        fax: can.includes("fax"),
      },
      monthlyCostMicros: kind.monthlyCostMicros,
      requirement: kind.requirement ?? null,
    });
  }
  return [...numbers.values()];
}

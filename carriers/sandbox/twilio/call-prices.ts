import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { VendorResponse, VendorRequest } from "../vendor/serve-vendor.ts";
import { notFound, ok } from "./answers.ts";

interface Price {
  prefix: string;
  price: string;
  name: string;
  origins?: string[];
}

/** Countries within +1 differ, and so do states within a country. */
const northAmerica: Record<string, Price[]> = {
  US: [
    { prefix: "1907", price: "0.090", name: "United States - Alaska" },
    { prefix: "1", price: "0.013", name: "United States & Canada" },
  ],
  CA: [{ prefix: "1", price: "0.013", name: "United States & Canada" }],
  JM: [{ prefix: "1876", price: "0.250", name: "Jamaica" }],
};
/** Only the prices of its numbers can be read. */
const unlisted = "XK";

function pricesOf(country: string): Price[] | null {
  if (!isSupportedCountry(country) || country === unlisted) return null;
  return northAmerica[country] ?? elsewhere(getCountryCallingCode(country));
}

const elsewhere = (prefix: string): Price[] => [
  { prefix, price: "0.021", name: "Elsewhere" },
  // Calls within Europe cost less.
  ...(prefix.startsWith("3") ? [{ prefix, price: "0.009", name: "Europe", origins: ["3", "4"] }] : []),
];

/** The call prices of pricing.twilio.com; null for other paths. */
export function answerCallPrices({ path }: VendorRequest): VendorResponse | null {
  const [, country] = /^\/v2\/Trunking\/Countries\/(\w\w)$/.exec(path) ?? [];
  if (country !== undefined) {
    const prices = pricesOf(country);
    if (prices === null) return notFound(path);
    return ok({
      ...common(path, country),
      originating_call_prices: [],
      terminating_prefix_prices: prices.map(toPrice),
    });
  }
  const [, to] = /^\/v2\/Trunking\/Numbers\/(.+)$/.exec(path) ?? [];
  if (to === undefined) return null;
  const number = decodeURIComponent(to);
  const digits = number.replaceAll(/\D/g, "");
  const parsed = parsePhoneNumberFromString(number);
  const prices = pricesOf(parsed?.country ?? "") ?? elsewhere(parsed?.countryCallingCode ?? digits.slice(0, 2));
  const [longest] = prices
    .map(({ prefix }) => prefix)
    .filter((prefix) => digits.startsWith(prefix))
    .toSorted((one, other) => other.length - one.length);
  return ok({
    ...common(path, parsed?.country ?? null),
    destination_number: number,
    origination_number: null,
    originating_call_price: null,
    terminating_prefix_prices: prices.filter(({ prefix }) => prefix === longest).map(toPrice),
  });
}

const common = (path: string, country: string | null) => ({
  country,
  iso_country: country,
  price_unit: "USD",
  url: `https://pricing.twilio.com${path}`,
});

const toPrice = ({ prefix, price, name, origins = ["ALL"] }: Price) => ({
  origination_prefixes: origins,
  destination_prefixes: [prefix],
  base_price: price,
  current_price: price,
  friendly_name: `Trunking Outbound Minute - ${name}`,
});

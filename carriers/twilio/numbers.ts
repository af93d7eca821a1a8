import type { CarrierNumber } from "@leadline/adapter-kit/carrier";
import {
  type BuyIntent,
  type HeldNumber,
  type NumberRequirement,
  type NumberType,
  ProvisionerError,
  type Purchase,
} from "@leadline/adapter-kit/provisioner";
import { z } from "zod";
import type { Api } from "./client.ts";
import { isNotFound } from "./refusals.ts";
import { trunkSidOf } from "./trunk.ts";

const pageSize = 1_000;
const types: readonly NumberType[] = ["local", "mobile", "toll-free"];
/** As pricing and the regulations call it. */
const typeOf = (named: string): string => named.replaceAll(/[\s_]/g, "-").toLowerCase();
const micros = (dollars: string): number => Math.round(Number(dollars) * 1_000_000);

type Available = Awaited<ReturnType<ReturnType<Api["client"]["availablePhoneNumbers"]>["local"]["list"]>>[number];

/** The stock has no prices: those come from the country's price list. */
export async function searchNumbers(
  api: Api,
  { countryCode, query, limit }: { countryCode: string; query: string | null; limit: number },
): Promise<CarrierNumber[]> {
  const filter = toFilter(countryCode, query);
  if (filter === null) return [];
  try {
    const [prices, ...found] = await Promise.all([
      readPrices(api, countryCode),
      ...types.map(async (type) => ({ type, numbers: await searchType(api, countryCode, type, { ...filter, limit }) })),
    ]);
    return found
      .flatMap(({ type, numbers }) => {
        const price = prices.get(type);
        return price === undefined ? [] : numbers.map((each) => toNumber(each, price));
      })
      .slice(0, limit);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** Null for what no number can match. */
function toFilter(countryCode: string, query: string | null) {
  const always = { voiceEnabled: true };
  if (query === null) return always;
  if (/\p{L}/u.test(query)) return { ...always, inLocality: query.trim() };
  const digits = query.replaceAll(/\D/g, "").replace(/^0+/, "");
  if (digits === "") return null;
  const isNorthAmerica = countryCode === "US" || countryCode === "CA";
  if (isNorthAmerica && digits.length === 3 && !query.includes("+")) return { ...always, areaCode: Number(digits) };
  return { ...always, contains: query.trimStart().startsWith("+") ? `+${digits}` : digits };
}

async function searchType(
  { client }: Api,
  countryCode: string,
  type: NumberType,
  filter: object & { limit: number },
): Promise<Pick<Available, "phoneNumber" | "locality" | "region" | "capabilities" | "addressRequirements">[]> {
  const country = client.availablePhoneNumbers(countryCode);
  try {
    if (type === "local") return await country.local.list(filter);
    return type === "mobile" ? await country.mobile.list(filter) : await country.tollFree.list(filter);
  } catch (error) {
    // A country has not every type.
    if (isNotFound(error)) return [];
    throw error;
  }
}

const Prices = z.object({
  price_unit: z.string().nullish(),
  phone_number_prices: z.array(z.object({ number_type: z.string(), current_price: z.coerce.string() })).nullish(),
});

async function readPrices(api: Api, countryCode: string): Promise<Map<string, number>> {
  const listed = await api.read(`https://pricing.twilio.com/v1/PhoneNumbers/Countries/${countryCode}`, Prices);
  return new Map(
    (listed.phone_number_prices ?? []).map((each) => [typeOf(each.number_type), micros(each.current_price)]),
  );
}

const asksFor: Record<string, string> = {
  any: "This number needs an address of yours. Add one in the Twilio Console first.",
  local: "This number needs an address of yours in its own country. Add one in the Twilio Console first.",
  foreign: "This number needs an address of yours outside its country. Add one in the Twilio Console first.",
};

const toNumber = (
  found: Pick<Available, "phoneNumber" | "locality" | "region" | "capabilities" | "addressRequirements">,
  monthlyCostMicros: number,
): CarrierNumber => {
  const { voice, sms, mms, fax } = readCapabilities(found.capabilities);
  return {
    number: found.phoneNumber,
    location: found.locality || null,
    region: found.region || null,
    capabilities: { voice, sms, mms, fax },
    monthlyCostMicros,
    requirement: asksFor[found.addressRequirements] ?? null,
  };
};

const Capabilities = z.record(z.string(), z.boolean().nullish());
/** The stock spells some of them in capitals. */
function readCapabilities(given: unknown): CarrierNumber["capabilities"] {
  const all = Capabilities.safeParse(given).data ?? {};
  const has = (name: string): boolean => (all[name] ?? all[name.toUpperCase()]) === true;
  return { voice: has("voice"), sms: has("sms"), mms: has("mms"), fax: has("fax") };
}

/** A regulation is met by an approved bundle, and an address by any in the country. */
export async function requirements(api: Api, countryCode: string, type: NumberType): Promise<NumberRequirement[]> {
  const { regulatoryCompliance } = api.client.numbers.v2;
  const numberType = type;
  const [regulations, bundles] = await Promise.all([
    regulatoryCompliance.regulations.list({ isoCountry: countryCode, numberType, limit: 20 }),
    regulatoryCompliance.bundles.list({ isoCountry: countryCode, numberType, status: "twilio-approved", limit: 1 }),
  ]);
  if (regulations.length === 0) return [];
  const met = bundles.length > 0;
  return [
    {
      what: "bundle",
      met,
      sentence: met
        ? "This country asks for a regulatory bundle, and the account has an approved one."
        : "This country asks for a regulatory bundle. Make one in the Twilio Console under Phone Numbers, Regulatory Compliance.",
    },
  ];
}

type Incoming = Awaited<ReturnType<Api["client"]["incomingPhoneNumbers"]["list"]>>[number];

export async function listHeld(api: Api): Promise<HeldNumber[]> {
  const [numbers, trunks] = await Promise.all([
    api.client.incomingPhoneNumbers.list({ pageSize }),
    api.client.trunking.v1.trunks.list({ pageSize }),
  ]);
  const names = new Map(trunks.map(({ sid, friendlyName }) => [sid, friendlyName]));
  return numbers.map((each) => toHeld(each, names.get(each.trunkSid) ?? null));
}

const toHeld = ({ phoneNumber: number }: Incoming, trunk: string | null): HeldNumber => ({
  number,
  trunk,
  monthlyCostMicros: null,
});

const findHeld = async ({ client }: Api, number: string): Promise<Incoming | null> =>
  (await client.incomingPhoneNumbers.list({ phoneNumber: number, limit: 20 })).find(
    ({ phoneNumber }) => phoneNumber === number,
  ) ?? null;

/** The reference is the number's friendly name. Looked up first: a number that we own would be sold to us again. */
export async function buy(api: Api, { number, countryCode, trunk, reference }: BuyIntent): Promise<Purchase> {
  const held = await findHeld(api, number);
  if (held?.friendlyName === reference) return { state: "bought", number: toHeld(held, trunk) };
  if (held) throw new ProvisionerError("number-gone", "The Twilio account has this number already.");
  const trunkSid = await trunkSidOf(api, trunk);
  const { client } = api;
  const [address] = await client.addresses.list({ isoCountry: countryCode, limit: 1 });
  const { bundles } = client.numbers.v2.regulatoryCompliance;
  const [bundle] = await bundles.list({ isoCountry: countryCode, status: "twilio-approved", limit: 1 });
  const bought = await client.incomingPhoneNumbers.create({
    phoneNumber: number,
    trunkSid,
    friendlyName: reference,
    ...(address && { addressSid: address.sid }),
    ...(bundle && { bundleSid: bundle.sid }),
  });
  return { state: "bought", number: toHeld(bought, trunk) };
}

export async function attach(api: Api, number: string, trunk: string): Promise<HeldNumber> {
  const held = await findHeld(api, number);
  if (!held) throw new ProvisionerError("number-gone", "The Twilio account doesn’t have this number any more.");
  const trunkSid = await trunkSidOf(api, trunk);
  return toHeld(await api.client.incomingPhoneNumbers(held.sid).update({ trunkSid }), trunk);
}

export async function release(api: Api, number: string): Promise<void> {
  const held = await findHeld(api, number);
  if (held) await api.client.incomingPhoneNumbers(held.sid).remove();
}

import type { CarrierNumber } from "@leadline/adapter-kit/carrier-numbers";
import {
  type BuyIntent,
  type HeldNumber,
  type NumberRequirement,
  type NumberType,
  ProvisionerError,
  type Purchase,
} from "@leadline/adapter-kit/provisioner";
import { unreadable } from "@leadline/adapter-kit/outbound/ask-vendor";
import { z } from "zod";
import type { Api } from "./client.ts";
import { readPrices } from "./number-prices.ts";
import { answered, isNotFound, removed } from "./refusals.ts";
import { trunkSidOf } from "./trunk.ts";

const pageSize = 1_000;
const types: readonly NumberType[] = ["local", "mobile", "toll-free"];

type Listed = Awaited<ReturnType<ReturnType<Api["client"]["availablePhoneNumbers"]>["local"]["list"]>>[number];
type Available = Pick<Listed, "phoneNumber" | "locality" | "region" | "capabilities" | "addressRequirements">;

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
    const byType = found.map(({ type, numbers }) => {
      const price = prices.get(type);
      return price === undefined ? [] : numbers.map((each) => toNumber(each, price));
    });
    return inTurns(byType).slice(0, limit);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** One of each list, then the next of each: every type is on the first page, and a longer search begins the same. */
function inTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
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
  filter: { limit: number; voiceEnabled?: boolean; contains?: string; areaCode?: number; inLocality?: string },
): Promise<Available[]> {
  const country = client.availablePhoneNumbers(countryCode);
  try {
    switch (type) {
      case "local":
        return await answered(country.local.list(filter));
      case "mobile":
        return await answered(country.mobile.list(filter));
      case "toll-free":
        return await answered(country.tollFree.list(filter));
      case "national":
        return await answered(country.national.list(filter));
      case "shared-cost":
        return await answered(country.sharedCost.list(filter));
    }
  } catch (error) {
    // A country has not every type.
    if (isNotFound(error)) return [];
    throw error;
  }
}

export async function typeOf(api: Api, { number, countryCode }: Omit<Wanted, "type">): Promise<NumberType | null> {
  const listed = await Promise.all(
    types.map(async (type) => ({
      type,
      found: await searchType(api, countryCode, type, { contains: number, limit: 1 }),
    })),
  );
  return listed.find(({ found }) => found.some(({ phoneNumber }) => phoneNumber === number))?.type ?? null;
}

const toNumber = (found: Available, monthlyCostMicros: number): CarrierNumber => {
  const { voice, sms, mms, fax } = readCapabilities(found.capabilities);
  return {
    number: found.phoneNumber,
    location: found.locality || null,
    region: found.region || null,
    capabilities: { voice, sms, mms, fax },
    monthlyCostMicros,
    requirement: null,
  };
};

const Capabilities = z.record(z.string(), z.boolean().nullish());
/** The stock spells some of them in capitals. */
function readCapabilities(given: unknown): CarrierNumber["capabilities"] {
  const all = Capabilities.safeParse(given).data ?? {};
  const has = (name: string): boolean => (all[name] ?? all[name.toUpperCase()]) === true;
  return { voice: has("voice"), sms: has("sms"), mms: has("mms"), fax: has("fax") };
}

interface Wanted {
  countryCode: string;
  type: NumberType;
  number: string;
}

/** A country's regulation is met by an approved bundle, which includes an address. Without one, a number may need an address. */
export async function requirements(
  api: Api,
  countryCode: string,
  type: NumberType,
  number?: string,
): Promise<NumberRequirement[]> {
  const { regulations } = api.client.numbers.v2.regulatoryCompliance;
  const [[regulation], bundleSid] = await Promise.all([
    answered(regulations.list({ isoCountry: countryCode, numberType: type, limit: 1 })),
    findBundle(api, { countryCode, type }),
  ]);
  if (regulation) {
    const asked = "This country requires a regulatory bundle";
    const where = "Create one in the Twilio Console under Phone Numbers, Regulatory Compliance.";
    return [
      bundleSid === undefined
        ? { what: "bundle", met: false, sentence: `${asked}. ${where}` }
        : { what: "bundle", met: true, sentence: `${asked}, and the account has an approved one.` },
    ];
  }
  const address = number === undefined ? null : await findAddress(api, { countryCode, type, number });
  if (address === null) return [];
  const { asked, sid } = address;
  const where = "Add one in the Twilio Console under Phone Numbers, Addresses.";
  return [
    sid === undefined
      ? { what: "address", met: false, sentence: `${asked}. ${where}` }
      : { what: "address", met: true, sentence: `${asked}, and the account has one.` },
  ];
}

async function findBundle({ client }: Api, { countryCode, type }: Omit<Wanted, "number">): Promise<string | undefined> {
  const { bundles } = client.numbers.v2.regulatoryCompliance;
  const approved = { isoCountry: countryCode, numberType: type, status: "twilio-approved", limit: 1 } as const;
  return (await answered(bundles.list(approved)))[0]?.sid;
}

const AddressDocument = z.object({ address_sids: z.array(z.string()).min(1) });

/** Twilio refuses another address than the one that was approved with the bundle. */
async function addressInBundle({ client }: Api, bundleSid: string): Promise<string | undefined> {
  const { bundles, supportingDocuments } = client.numbers.v2.regulatoryCompliance;
  const items = await answered(bundles(bundleSid).itemAssignments.list({ pageSize }));
  for (const { objectSid } of items.filter((item) => item.objectSid.startsWith("RD"))) {
    const { attributes } = await answered(supportingDocuments(objectSid).fetch());
    const [addressSid] = AddressDocument.safeParse(attributes).data?.address_sids ?? [];
    if (addressSid !== undefined) return addressSid;
  }
  return undefined;
}

const addressRules: Record<string, { asked: string; accepts(country: string, countryOfNumber: string): boolean }> = {
  any: { asked: "This number requires an address of yours", accepts: () => true },
  local: {
    asked: "This number requires an address of yours in its country",
    accepts: (country, countryOfNumber) => country === countryOfNumber,
  },
  foreign: {
    asked: "This number requires an address of yours outside its country",
    accepts: (country, countryOfNumber) => country !== countryOfNumber,
  },
};

/** The address that this number requires, and its SID if the account has one. Null if it requires none. */
async function findAddress(
  api: Api,
  { countryCode, type, number }: Wanted,
): Promise<{ asked: string; sid: string | undefined } | null> {
  const [offered] = await searchType(api, countryCode, type, { contains: number, limit: 1 });
  const rule = addressRules[offered?.addressRequirements ?? "none"];
  if (!rule) return null;
  const addresses = await answered(api.client.addresses.list({ pageSize }));
  const found = addresses.find(({ isoCountry }) => rule.accepts(isoCountry, countryCode));
  return { asked: rule.asked, sid: found?.sid };
}

type Incoming = Awaited<ReturnType<Api["client"]["incomingPhoneNumbers"]["list"]>>[number];

export async function listHeld(api: Api): Promise<HeldNumber[]> {
  const [numbers, names] = await Promise.all([
    answered(api.client.incomingPhoneNumbers.list({ pageSize })),
    trunkNames(api),
  ]);
  return numbers.map((each) => toHeld(each, names.get(each.trunkSid) ?? null));
}

const trunkNames = async ({ client }: Api): Promise<Map<string, string>> =>
  new Map(
    (await answered(client.trunking.v1.trunks.list({ pageSize }))).map(({ sid, friendlyName }) => [sid, friendlyName]),
  );

const toHeld = (held: Incoming, trunk: string | null): HeldNumber => ({
  number: held.phoneNumber,
  trunk,
  use: useOf(held, trunk),
  monthlyCostMicros: null,
});

/** What a new number plays. */
const demo = "demo.twilio.com";

/** A trunk comes before an application, and that before the voice URL ("IncomingPhoneNumber", TrunkSid). */
function useOf({ trunkSid, voiceApplicationSid, voiceUrl }: Incoming, trunk: string | null): string | null {
  if (trunk !== null) return `Calls to it go to the trunk ${trunk}.`;
  if (trunkSid) return "Calls to it go to a trunk.";
  if (voiceApplicationSid) return "Calls to it go to a TwiML app.";
  // Its path and parameters may hold secrets.
  const host = URL.parse(voiceUrl)?.host;
  return host === undefined || host === demo ? null : `Calls to it go to a program at ${host}.`;
}

const findHeld = async ({ client }: Api, number: string): Promise<Incoming | null> =>
  (await answered(client.incomingPhoneNumbers.list({ phoneNumber: number, limit: 20 }))).find(
    ({ phoneNumber }) => phoneNumber === number,
  ) ?? null;

export const holds = async (api: Api, number: string): Promise<boolean> => (await findHeld(api, number)) !== null;

/** The reference is the number's friendly name. Looked up first: a number that we own would be sold to us again. */
export async function buy(api: Api, { number, countryCode, type, trunk, reference }: BuyIntent): Promise<Purchase> {
  const held = await findHeld(api, number);
  if (held?.friendlyName === reference) return { state: "bought", number: toHeld(held, trunk) };
  if (held) throw new ProvisionerError("number-gone", "The Twilio account has this number already.");
  const trunkSid = await trunkSidOf(api, trunk);
  const bundleSid = await findBundle(api, { countryCode, type });
  const addressSid =
    (bundleSid === undefined ? undefined : await addressInBundle(api, bundleSid)) ??
    (await findAddress(api, { countryCode, type, number }))?.sid;
  const bought = await answered(
    api.client.incomingPhoneNumbers.create({
      phoneNumber: number,
      trunkSid,
      friendlyName: reference,
      ...(addressSid !== undefined && { addressSid }),
      ...(bundleSid !== undefined && { bundleSid }),
    }),
  );
  if (bought.phoneNumber !== number) throw unreadable("Twilio");
  return { state: "bought", number: toHeld(bought, trunk) };
}

/** A number is bought at once or not at all. */
export async function cancel(
  api: Api,
  { number, reference }: Pick<BuyIntent, "number" | "reference">,
): Promise<"canceled" | "bought"> {
  return (await findHeld(api, number))?.friendlyName === reference ? "bought" : "canceled";
}

export async function attach(
  api: Api,
  { number, trunk, moves }: { number: string; trunk: string; moves: boolean },
): Promise<HeldNumber> {
  const held = await findHeld(api, number);
  if (!held) throw new ProvisionerError("number-gone", "The Twilio account doesn’t have this number any more.");
  const trunkSid = await trunkSidOf(api, trunk);
  const use =
    moves || held.trunkSid === trunkSid ? null : useOf(held, (await trunkNames(api)).get(held.trunkSid) ?? null);
  if (use !== null) throw new ProvisionerError("refused", `This number is in use at Twilio. ${use}`);
  return toHeld(await answered(api.client.incomingPhoneNumbers(held.sid).update({ trunkSid })), trunk);
}

export async function release(api: Api, number: string): Promise<void> {
  const held = await findHeld(api, number);
  if (held) await removed(api.client.incomingPhoneNumbers(held.sid).remove());
}

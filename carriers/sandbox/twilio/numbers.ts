import type { CarrierNumber } from "@leadline/adapter-kit/carrier-numbers";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { countriesServed } from "../numbers/countries-served.ts";
import { searchStock } from "../numbers/search-stock.ts";
import { findInStock, stockOf } from "../numbers/stock.ts";
import type { VendorResponse, VendorRequest } from "../vendor/serve-vendor.ts";
import { created, gone, notFound, ok, oldDate, oldPage, page, refused } from "./answers.ts";
import { answerCallPrices } from "./call-prices.ts";
import { accountSid, type Bundle, type Incoming, newSid, type State } from "./state.ts";

const kinds: Record<string, string> = { Local: "local", Mobile: "mobile", TollFree: "toll-free" };
const monthly: Record<string, string> = { local: "1.15", mobile: "3.00", "toll free": "2.15" };

interface Asked {
  path: string;
  root: string;
  form: URLSearchParams;
}

/** AvailablePhoneNumbers and IncomingPhoneNumbers. */
export function answerNumbers(state: State, request: VendorRequest, asked: Asked): VendorResponse | null {
  const [, country, type] = /^\/AvailablePhoneNumbers\/(\w\w)\/(\w+)\.json$/.exec(asked.path) ?? [];
  if (country !== undefined && type !== undefined)
    return searchOf(state, request, { country, kind: kinds[type] ?? "" });
  const [, sid] = /^\/IncomingPhoneNumbers(?:\/(PN\w+))?\.json$/.exec(asked.path) ?? [];
  if (!asked.path.startsWith("/IncomingPhoneNumbers")) return null;
  if (sid === undefined) return request.method === "GET" ? list(state, request, asked) : buy(state, asked);
  const found = state.incoming.find((each) => each.sid === sid);
  if (!found) return notFound(request.path);
  if (request.method === "DELETE") {
    state.incoming.splice(state.incoming.indexOf(found), 1);
    return gone;
  }
  if (request.method === "POST" && asked.form.has("TrunkSid")) found.trunkSid = asked.form.get("TrunkSid") || null;
  if (request.method === "POST") found.voiceUrl = asked.form.get("VoiceUrl") ?? found.voiceUrl ?? demoUrl;
  return ok(present(found, asked.root));
}

const kindOf = ({ number }: CarrierNumber): string => {
  const type = parsePhoneNumberFromString(number)?.getType();
  return type === "TOLL_FREE" ? "toll-free" : type === "MOBILE" ? "mobile" : "local";
};

const addressNeed = ({ requirement }: CarrierNumber): string =>
  requirement === null ? "none" : requirement.includes("own area") ? "local" : "any";

function searchOf(
  state: State,
  request: VendorRequest,
  { country, kind }: { country: string; kind: string },
): VendorResponse {
  const stock = stockOf(country).filter((each) => kindOf(each) === kind);
  if (stock.length === 0) return notFound(request.path);
  const { query } = request;
  const held = new Set(state.incoming.map(({ phoneNumber }) => phoneNumber));
  const wanted = query.get("InLocality") ?? query.get("Contains") ?? query.get("AreaCode");
  const found = searchStock(stock, wanted)
    .filter(({ number }) => !held.has(number))
    .slice(0, Number(query.get("PageSize") ?? 50));
  return oldPage(
    request.path,
    "available_phone_numbers",
    found.map((each) => ({
      phone_number: each.number,
      friendly_name: each.number,
      lata: null,
      locality: each.location,
      rate_center: null,
      latitude: null,
      longitude: null,
      region: each.region,
      postal_code: null,
      iso_country: country,
      address_requirements: addressNeed(each),
      beta: false,
      capabilities: { voice: each.capabilities.voice, SMS: each.capabilities.sms, MMS: each.capabilities.mms },
    })),
  );
}

function list(state: State, request: VendorRequest, { root }: Asked): VendorResponse {
  const number = request.query.get("PhoneNumber");
  const found = state.incoming.filter(({ phoneNumber }) => number === null || phoneNumber.includes(number));
  return oldPage(
    request.path,
    "incoming_phone_numbers",
    found.map((each) => present(each, root)),
  );
}

/** A number that the account has already is answered again, and charged again: who buys must look first. */
function buy(state: State, { root, form }: Asked): VendorResponse {
  const number = form.get("PhoneNumber") ?? "";
  const offered = findInStock(number);
  if (!offered) return refused(400, 21422, `PhoneNumber ${number} is not available`);
  const missing = missingOf(state, offered, form);
  if (missing) return missing;
  state.charges++;
  const made: Incoming = {
    sid: newSid("PN"),
    phoneNumber: number,
    friendlyName: form.get("FriendlyName") ?? number,
    trunkSid: form.get("TrunkSid"),
    voiceUrl: form.get("VoiceUrl") ?? demoUrl,
    createdAt: new Date().toISOString(),
  };
  state.incoming.push(made);
  return created(present(made, root));
}

function missingOf(state: State, offered: CarrierNumber, form: URLSearchParams): VendorResponse | null {
  const countryCode = parsePhoneNumberFromString(offered.number)?.country ?? "";
  if (isRegulated(countryCode)) {
    const bundle = state.bundles.find(({ sid }) => sid === form.get("BundleSid"));
    if (bundle?.countryCode !== countryCode || bundle.numberType !== kindOf(offered))
      return refused(400, 21649, "Bundle required");
    return form.get("AddressSid") === bundle.addressSid
      ? null
      : refused(400, 21651, "AddressSid is not contained in the bundle");
  }
  const need = addressNeed(offered);
  if (need === "none") return null;
  const address = state.addresses.find(({ sid }) => sid === form.get("AddressSid"));
  if (!address) return refused(400, 21631, "Phone Number Requires an Address but the 'AddressSid' parameter was empty");
  return need === "any" || address.countryCode === countryCode
    ? null
    : refused(400, 21651, "AddressSid does not satisfy the number’s requirements");
}

const demoUrl = "https://demo.twilio.com/welcome/voice/";

const present = (
  { sid, phoneNumber, friendlyName, trunkSid, voiceUrl = demoUrl, createdAt }: Incoming,
  root: string,
) => ({
  account_sid: accountSid,
  sid,
  phone_number: phoneNumber,
  friendly_name: friendlyName,
  trunk_sid: trunkSid,
  address_sid: null,
  address_requirements: "none",
  api_version: "2010-04-01",
  beta: false,
  capabilities: { voice: true, sms: false, mms: false, fax: false },
  date_created: oldDate(createdAt),
  date_updated: oldDate(createdAt),
  identity_sid: null,
  origin: "twilio",
  bundle_sid: null,
  status: "in-use",
  voice_receive_mode: "voice",
  voice_application_sid: null,
  voice_method: "POST",
  voice_url: voiceUrl,
  emergency_status: "Inactive",
  emergency_address_sid: null,
  emergency_address_status: "unregistered",
  uri: `${root}/IncomingPhoneNumbers/${sid}.json`,
});

/** pricing.twilio.com and numbers.twilio.com; null for a path that isn't theirs. */
export function answerPrices(state: State, request: VendorRequest): VendorResponse | null {
  const [, country] = /^\/v1\/PhoneNumbers\/Countries\/(\w\w)$/.exec(request.path) ?? [];
  if (country !== undefined) {
    if (!countriesServed.has(country)) return notFound(request.path);
    const of = Object.entries(monthly).map(([number_type, price]) => ({
      number_type,
      base_price: price,
      current_price: price,
    }));
    const url = `https://pricing.twilio.com${request.path}`;
    return ok({ country, iso_country: country, phone_number_prices: of, price_unit: "USD", url });
  }
  const callPrices = answerCallPrices(request);
  if (callPrices !== null) return callPrices;
  const [, bundleSid, documentSid] =
    /^\/v2\/RegulatoryCompliance\/(?:Bundles\/(BU\w+)\/ItemAssignments|SupportingDocuments\/(RD\w+))$/.exec(
      request.path,
    ) ?? [];
  if (bundleSid !== undefined || documentSid !== undefined) {
    const bundle = state.bundles.find((each) => each.sid === bundleSid || each.documentSid === documentSid);
    if (!bundle) return notFound(request.path);
    const url = `https://numbers.twilio.com${request.path}`;
    return bundleSid === undefined ? ok(documentOf(bundle, url)) : page(url, "results", [itemOf(bundle, url)]);
  }
  const isRegulation = request.path === "/v2/RegulatoryCompliance/Regulations";
  if (isRegulation || request.path === "/v2/RegulatoryCompliance/Bundles")
    return page(
      `https://numbers.twilio.com${request.path}`,
      "results",
      isRegulation ? regulationsOf(request.query) : bundlesOf(state, request.query),
    );
  return null;
}

const isRegulated = (country: string): boolean =>
  /identity|company/.test(countriesServed.get(country)?.requirement ?? "");
const regulationSid = `RN${"5a".repeat(16)}`;

function bundlesOf({ bundles }: State, query: URLSearchParams): object[] {
  const asked = (name: string, value: string): boolean => (query.get(name) ?? value) === value;
  return bundles
    .filter(({ countryCode, numberType }) => asked("IsoCountry", countryCode) && asked("NumberType", numberType))
    .map(({ sid, countryCode, numberType }) => ({
      sid,
      account_sid: accountSid,
      regulation_sid: regulationSid,
      friendly_name: `${countryCode}: ${numberType}`,
      status: "twilio-approved",
      valid_until: null,
      email: "owner@example.com",
      status_callback: null,
      date_created: "2026-01-05T09:00:00Z",
      date_updated: "2026-01-05T09:00:00Z",
      url: `https://numbers.twilio.com/v2/RegulatoryCompliance/Bundles/${sid}`,
      links: {},
    }));
}

const itemOf = ({ sid, documentSid }: Bundle, url: string) => {
  const itemSid = documentSid.replace("RD", "BV");
  const date_created = "2026-01-05T09:00:00Z";
  return {
    sid: itemSid,
    bundle_sid: sid,
    account_sid: accountSid,
    object_sid: documentSid,
    date_created,
    url: `${url}/${itemSid}`,
  };
};

const documentOf = ({ documentSid, addressSid }: Bundle, url: string) => ({
  sid: documentSid,
  account_sid: accountSid,
  friendly_name: "Proof of address",
  mime_type: null,
  status: "approved",
  failure_reason: null,
  errors: null,
  type: "address",
  attributes: { address_sids: [addressSid] },
  date_created: "2026-01-05T09:00:00Z",
  date_updated: "2026-01-05T09:00:00Z",
  url,
});

function regulationsOf(query: URLSearchParams): object[] {
  const country = query.get("IsoCountry") ?? "";
  if (!isRegulated(country)) return [];
  return [
    {
      sid: regulationSid,
      friendly_name: `${country}: ${query.get("NumberType") ?? "local"} - business`,
      iso_country: country,
      number_type: query.get("NumberType") ?? "local",
      end_user_type: "business",
      requirements: { end_user: [], supporting_document: [] },
      url: `https://numbers.twilio.com/v2/RegulatoryCompliance/Regulations/${regulationSid}`,
    },
  ];
}

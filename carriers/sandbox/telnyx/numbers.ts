import { randomUUID } from "node:crypto";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { z } from "zod";
import { countriesServed } from "../numbers/countries-served.ts";
import { searchStock } from "../numbers/search-stock.ts";
import type { VendorResponse, VendorRequest } from "../vendor/serve-vendor.ts";
import { created, list, notFound, ok, refused } from "./answers.ts";
import type { Held, Order, State } from "./state.ts";
import { isSold, sellsNational, stockWithNational, typeOf } from "./stock.ts";

const GivenOrder = z.object({
  phone_numbers: z.array(z.object({ phone_number: z.string(), requirement_group_id: z.string().optional() })).length(1),
  connection_id: z.string().nullish(),
  customer_reference: z.string().nullish(),
});
const GivenChange = z.object({ connection_id: z.string().nullish() });
const GivenVoice = z.object({
  call_forwarding: z
    .object({
      call_forwarding_enabled: z.boolean(),
      forwarding_type: z.enum(["always", "on-failure"]),
      forwards_to: z.string().regex(/^\+\d+$/),
    })
    .partial(),
});

/** available_phone_numbers, number_orders, phone_numbers, requirements; null for another path. */
export function answerNumbers(state: State, request: VendorRequest): VendorResponse | null {
  const [, voiceOf] = /^\/v2\/phone_numbers\/(?:([\w-]+)\/)?voice$/.exec(request.path) ?? [];
  if (request.path.endsWith("/voice")) return voice(state, request, voiceOf);
  const [, canceled] = /^\/v2\/sub_number_orders\/([\w-]+)\/cancel$/.exec(request.path) ?? [];
  if (canceled !== undefined && request.method === "PATCH") return cancel(state, canceled);
  const [, kind, id] = /^\/v2\/(\w+)(?:\/([\w-]+))?$/.exec(request.path) ?? [];
  switch (kind) {
    case "available_phone_numbers":
      return search(state, request);
    case "number_orders":
      return orders(state, request, id);
    case "phone_numbers":
      return held(state, request, id);
    case "requirements":
      return requirementsOf(request.query);
    case "requirement_groups":
      return { status: 200, body: groupsOf(state, request.query) };
    default:
      return null;
  }
}

function search({ held: ours }: State, { query }: VendorRequest): VendorResponse {
  const wanted =
    query.get("filter[locality]") ??
    query.get("filter[phone_number][starts_with]") ??
    query.get("filter[phone_number][contains]") ??
    query.get("filter[national_destination_code]");
  const taken = new Set(ours.map(({ number }) => number));
  const type = query.get("filter[phone_number_type]");
  const found = searchStock(stockWithNational(query.get("filter[country_code]") ?? ""), wanted)
    .filter(({ number }) => !taken.has(number) && (type === null || typeOf(number) === type))
    .slice(0, Number(query.get("filter[limit]") ?? 100));
  return list(
    found.map(({ number, location, region, capabilities, monthlyCostMicros }) => ({
      record_type: "available_phone_number",
      phone_number: number,
      best_effort: false,
      cost_information: { monthly_cost: (monthlyCostMicros / 1e6).toFixed(2), upfront_cost: "1.00", currency: "USD" },
      features: Object.entries(capabilities).flatMap(([name, has]) => (has ? [{ name }] : [])),
      region_information: [
        ...(location === null ? [] : [{ region_type: "location", region_name: location }]),
        ...(region === null ? [] : [{ region_type: "state", region_name: region }]),
      ],
    })),
  );
}

function orders(state: State, request: VendorRequest, id: string | undefined): VendorResponse {
  if (request.method === "GET" && id === undefined) {
    const reference = request.query.get("filter[customer_reference]");
    const found = state.orders.filter((each) => reference === null || each.reference === reference);
    return list(found.map((each) => presentOrder(settle(state, each))));
  }
  if (request.method === "GET") {
    const found = state.orders.find((each) => each.id === id);
    return found ? ok(presentOrder(settle(state, found))) : notFound;
  }
  const given = GivenOrder.safeParse(JSON.parse(request.body));
  if (!given.success) return refused(422, "10015", "Bad Request", given.error.message);
  const [{ phone_number: number, requirement_group_id: groupId } = { phone_number: "" }] = given.data.phone_numbers;
  const isTaken = [...state.held, ...state.orders.filter(({ status }) => status === "pending")].some(
    (each) => each.number === number,
  );
  if (!isSold(number) || isTaken)
    return refused(422, "85001", "Number not available", `${number} is no longer available.`);
  const order: Order = {
    id: randomUUID(),
    number,
    connectionId: given.data.connection_id ?? null,
    reference: given.data.customer_reference ?? null,
    status: "pending",
    requirementsMet: isMet(state, number, groupId),
    createdAt: new Date().toISOString(),
  };
  state.charges++;
  state.orders.push(order);
  return created(presentOrder(order));
}

/** An order is pending in the first response, and in later ones while its requirements aren't met. */
function settle(state: State, order: Order): Order {
  if (order.status !== "pending" || !order.requirementsMet) return order;
  order.status = "success";
  const { number, connectionId, reference, createdAt } = order;
  state.held.push({ id: randomUUID(), number, connectionId, reference, createdAt });
  return order;
}

/** Each order has one part, called after it. One that waits for its requirements can be cancelled. */
function cancel(state: State, id: string): VendorResponse {
  const order = state.orders.find((each) => each.id === id);
  if (!order) return notFound;
  if (order.status !== "pending" || order.requirementsMet)
    return refused(422, "10015", "Bad Request", "Only a pending sub number order can be cancelled.");
  order.status = "failure";
  return ok({ ...presentOrder(order), record_type: "sub_number_order" });
}

const presentOrder = ({ id, number, connectionId, reference, status, requirementsMet, createdAt }: Order) => ({
  id,
  record_type: "number_order",
  phone_numbers: [
    { id, phone_number: number, status, requirements_met: requirementsMet, record_type: "number_order_phone_number" },
  ],
  phone_numbers_count: 1,
  sub_number_orders_ids: [id],
  connection_id: connectionId,
  customer_reference: reference,
  status,
  requirements_met: requirementsMet,
  created_at: createdAt,
  updated_at: createdAt,
});

function held(state: State, request: VendorRequest, id: string | undefined): VendorResponse {
  if (id === undefined) {
    const number = request.query.get("filter[phone_number]") ?? "";
    return list(state.held.filter((each) => each.number.includes(number)).map((each) => presentHeld(state, each)));
  }
  const found = state.held.find((each) => each.id === id);
  if (!found) return notFound;
  if (request.method === "DELETE") state.held = state.held.filter((each) => each !== found);
  if (request.method === "PATCH")
    found.connectionId = GivenChange.parse(JSON.parse(request.body)).connection_id ?? found.connectionId;
  return ok(presentHeld(state, found));
}

function voice({ held: ours }: State, request: VendorRequest, id: string | undefined): VendorResponse {
  if (id === undefined) return list(ours.map(presentVoice));
  const found = ours.find((each) => each.id === id);
  if (!found) return notFound;
  if (request.method === "PATCH") {
    const given = GivenVoice.safeParse(JSON.parse(request.body));
    if (!given.success) return refused(422, "10015", "Bad Request", given.error.message);
    found.forwarding = { ...found.forwarding, ...given.data.call_forwarding };
  }
  return ok(presentVoice(found));
}

const presentVoice = ({ id, number, connectionId, forwarding }: Held) => ({
  id,
  record_type: "voice_settings",
  phone_number: number,
  connection_id: connectionId,
  call_forwarding: { call_forwarding_enabled: true, ...forwarding },
});

const presentHeld = ({ connections }: State, { id, number, connectionId, reference, createdAt }: Held) => ({
  id,
  record_type: "phone_number",
  phone_number: number,
  phone_number_type: typeOf(number),
  country_iso_alpha2: "US",
  status: "active",
  tags: [],
  external_pin: null,
  deletion_lock_enabled: false,
  connection_id: connectionId,
  connection_name: connections.find((each) => each.id === connectionId)?.connection_name ?? null,
  customer_reference: reference,
  created_at: createdAt,
  purchased_at: createdAt,
});

/** The document that the country requires. Null if none. */
function documentFor(country: string): string | null {
  const asks = countriesServed.get(country)?.requirement ?? "";
  if (asks.includes("company")) return "Company registration";
  return asks.includes("identity") ? "Proof of identity" : null;
}

function isMet({ requirementGroups }: State, number: string, groupId: string | undefined): boolean {
  const country = parsePhoneNumberFromString(number)?.country ?? "";
  return (
    (documentFor(country) === null && typeOf(number) !== "national") ||
    requirementGroups.some(({ id, countryCode }) => id === groupId && countryCode === country)
  );
}

function groupsOf({ requirementGroups }: State, query: URLSearchParams): object[] {
  const asked = (name: string, value: string): boolean => (query.get(`filter[${name}]`) ?? value) === value;
  return requirementGroups
    .filter((each) => asked("country_code", each.countryCode) && asked("phone_number_type", each.numberType))
    .map(({ id, countryCode, numberType }) => ({
      id,
      record_type: "requirement_group",
      country_code: countryCode,
      phone_number_type: numberType,
      action: "ordering",
      status: "approved",
    }));
}

/** As in the API, there is no filter by mobile, and a requirement without a type is for every number. */
function requirementsOf(query: URLSearchParams): VendorResponse {
  const country = query.get("filter[country_code]") ?? "";
  const type = query.get("filter[phone_number_type]");
  if (type !== null && !["local", "national", "toll_free"].includes(type))
    return refused(422, "10015", "Bad Request", `${type} isn't a type to filter by.`);
  const name = documentFor(country);
  const present = (what: string, of: string | null) => ({
    id: randomUUID(),
    record_type: "requirement",
    country_code: country,
    action: "ordering",
    phone_number_type: of,
    requirements_types: [{ id: randomUUID(), name: what, description: what, type: "document" }],
  });
  return list([
    ...(name === null ? [] : [present(name, null), present("Purpose of the calls", "toll_free")]),
    ...(sellsNational(country) ? [present("Proof of establishment", "national")] : []),
  ]);
}

import type { CarrierNumber } from "@leadline/adapter-kit/carrier-numbers";
import {
  type BuyIntent,
  type HeldNumber,
  type NumberRequirement,
  type NumberType,
  ProvisionerError,
  type Purchase,
} from "@leadline/adapter-kit/provisioner";
import type Telnyx from "telnyx";
import type { VoiceUpdateParams } from "telnyx/resources/phone-numbers/voice";
import { z } from "zod";
import { type Api, Done, type Query } from "./api.ts";
import { connectionIdOf, connectionNames } from "./trunk.ts";

const types: readonly NumberType[] = ["local", "mobile", "toll-free", "national", "shared-cost"];
const typeNames = {
  local: "local",
  mobile: "mobile",
  "toll-free": "toll_free",
  national: "national",
  "shared-cost": "shared_cost",
} as const satisfies Record<NumberType, SearchFilter["phone_number_type"]>;

const micros = (dollars: string | null | undefined): number => Math.round(Number(dollars ?? 0) * 1_000_000);

const Available = z.object({
  phone_number: z.string(),
  cost_information: z
    .object({ monthly_cost: z.string().nullish(), upfront_cost: z.string().nullish(), currency: z.string().nullish() })
    .nullish(),
  features: z.array(z.object({ name: z.string() })).nullish(),
  region_information: z.array(z.object({ region_type: z.string(), region_name: z.string() })).nullish(),
});

/** The price is in the search. A number without one, or with one in another currency, isn't offered. */
export async function searchNumbers(
  api: Api,
  { countryCode, query, limit }: { countryCode: string; query: string | null; limit: number },
): Promise<CarrierNumber[]> {
  const filter = toFilter(query);
  if (filter === null) return [];
  const always = { country_code: countryCode, features: ["voice"], limit } satisfies SearchFilter;
  const { data } = await api.get("available_phone_numbers", z.object({ data: z.array(Available) }), {
    filter: { ...always, ...filter },
  });
  return data
    .filter(({ cost_information: cost }) => cost?.monthly_cost && (cost.currency ?? "USD") === "USD")
    .map(toNumber)
    .slice(0, limit);
}

/** What is listed doesn't name its type, so each type's list is asked for the number. */
export async function typeOf(
  api: Api,
  { number, countryCode }: Pick<BuyIntent, "number" | "countryCode">,
): Promise<NumberType | null> {
  for (const type of types) {
    const filter = {
      country_code: countryCode,
      phone_number: { starts_with: number },
      phone_number_type: typeNames[type],
      limit: 1,
    } satisfies SearchFilter;
    const { data } = await api.get("available_phone_numbers", z.object({ data: z.array(Available) }), { filter });
    if (data.some((each) => each.phone_number === number)) return type;
  }
  return null;
}

type SearchFilter = NonNullable<Telnyx.AvailablePhoneNumberListParams["filter"]>;

/** Null for what no number can match. */
function toFilter(query: string | null): Query | null {
  if (query === null) return {};
  if (/\p{L}/u.test(query)) return { locality: query.trim() } satisfies SearchFilter;
  const digits = query.replaceAll(/\D/g, "").replace(/^0+/, "");
  if (digits === "") return null;
  if (query.trimStart().startsWith("+")) return { phone_number: { starts_with: `+${digits}` } } satisfies SearchFilter;
  return digits.length === 3
    ? ({ national_destination_code: digits } satisfies SearchFilter)
    : ({ phone_number: { contains: digits } } satisfies SearchFilter);
}

function toNumber({ phone_number, cost_information, features, region_information }: z.output<typeof Available>) {
  const has = (name: string): boolean => (features ?? []).some((each) => each.name === name);
  const region = (type: string): string | null =>
    (region_information ?? []).find(({ region_type }) => region_type === type)?.region_name ?? null;
  return {
    number: phone_number,
    location: region("location") ?? region("rate_center"),
    region: region("state"),
    capabilities: { voice: has("voice"), sms: has("sms"), mms: has("mms"), fax: has("fax") },
    monthlyCostMicros: micros(cost_information?.monthly_cost),
    upfrontCostMicros: micros(cost_information?.upfront_cost),
    requirement: null,
  };
}

const Requirement = z.object({
  phone_number_type: z.string().nullish(),
  requirements_types: z.array(z.object({ name: z.string(), description: z.string().nullish() })),
});
const Group = z.object({ id: z.string(), status: z.string() });

/** The approved requirement group for the country and type. Undefined if there is none. */
async function findGroup(api: Api, countryCode: string, type: NumberType): Promise<string | undefined> {
  const filter = {
    country_code: countryCode,
    phone_number_type: typeNames[type],
    action: "ordering",
  } satisfies Telnyx.RequirementGroupListParams["filter"];
  const groups = await api.get("requirement_groups", z.array(Group), { filter });
  return groups.find(({ status }) => status === "approved")?.id;
}

/** The API filters by some types only, and not by mobile. A requirement without a type is for every one. */
export async function requirements(api: Api, countryCode: string, type: NumberType): Promise<NumberRequirement[]> {
  const filter = { country_code: countryCode, action: "ordering" } satisfies Telnyx.RequirementListParams["filter"];
  const [found, groupId] = await Promise.all([
    api.list("requirements", Requirement, { filter }),
    findGroup(api, countryCode, type),
  ]);
  const met = groupId !== undefined;
  const where = "Add it in the Telnyx Portal under Numbers, Regulatory requirements.";
  return found
    .filter(({ phone_number_type: of }) => !of || of === typeNames[type])
    .flatMap((each) => each.requirements_types)
    .map(({ name }) => ({
      what: name,
      met,
      sentence: met
        ? `This country requires: ${name}. The account has it.`
        : `This country requires: ${name}. ${where}`,
    }));
}

const Held = z.object({
  id: z.string(),
  phone_number: z.string(),
  connection_id: z.string().nullish(),
  connection_name: z.string().nullish(),
  customer_reference: z.string().nullish(),
  status: z.string(),
});
const Voice = z.object({
  id: z.string(),
  call_forwarding: z
    .object({
      call_forwarding_enabled: z.boolean().nullish(),
      forwarding_type: z.string().nullish(),
      forwards_to: z.string().nullish(),
    })
    .nullish(),
});

/** Every other status, "purchase-pending" and "port-out-pending" among them, is of a number that the account holds and pays for. */
const notHeld = new Set(["purchase-failed", "port-pending", "port-failed", "ported-out", "deleted"]);

export async function listHeld(api: Api): Promise<HeldNumber[]> {
  const [numbers, names, voices] = await Promise.all([
    api.list("phone_numbers", Held),
    connectionNames(api),
    api.list("phone_numbers/voice", Voice),
  ]);
  const forwarded = new Map(voices.map((each) => [each.id, forwardedTo(each)]));
  return numbers
    .filter(({ status }) => !notHeld.has(status))
    .map((each) => {
      const to = forwarded.get(each.id) ?? null;
      const trunk = to === null ? (names.get(each.connection_id ?? "") ?? null) : null;
      return { ...toHeld(each.phone_number, trunk), use: useOf(each, to) };
    });
}

const onTrunk = (trunk: string): string => `Calls to it go to the connection ${trunk}.`;

const toHeld = (number: string, trunk: string | null): HeldNumber => ({
  number,
  trunk,
  use: trunk === null ? null : onTrunk(trunk),
  monthlyCostMicros: null,
});

/** Forwarding comes before the connection. Null if calls aren't forwarded, or only when they fail. */
function forwardedTo({ call_forwarding: given }: z.output<typeof Voice>): string | null {
  const isOn = given?.call_forwarding_enabled !== false && given?.forwarding_type === "always";
  return (isOn && given.forwards_to) || null;
}

function useOf({ connection_id, connection_name }: z.output<typeof Held>, forwarded: string | null): string | null {
  if (forwarded !== null) return `Calls to it are forwarded to ${forwarded}.`;
  if (connection_id) return connection_name ? onTrunk(connection_name) : "Calls to it go to a connection.";
  return null;
}

async function findHeld(api: Api, number: string): Promise<z.output<typeof Held> | null> {
  const found = await api.list("phone_numbers", Held, {
    filter: { phone_number: number } satisfies Telnyx.PhoneNumberListParams["filter"],
  });
  return found.find((each) => each.phone_number === number) ?? null;
}

export async function holds(api: Api, number: string): Promise<boolean> {
  const held = await findHeld(api, number);
  return held !== null && !notHeld.has(held.status);
}

const Order = z.object({
  id: z.string(),
  /** pending, success or failure. An order that was cancelled has failed, however that is called. */
  status: z.string(),
  customer_reference: z.string().nullish(),
  requirements_met: z.boolean().nullish(),
  sub_number_orders_ids: z.array(z.string()).nullish(),
});
const isOpenOrDone = ({ status }: z.output<typeof Order>): boolean => status === "pending" || status === "success";

async function findOrder(api: Api, reference: string): Promise<z.output<typeof Order> | undefined> {
  const found = await api.list("number_orders", Order, {
    filter: { customer_reference: reference } satisfies Telnyx.NumberOrderListParams["filter"],
  });
  const ours = found.filter((each) => each.customer_reference === reference);
  return ours.find(isOpenOrDone) ?? ours[0];
}

/** The order's customer reference finds it again; an order may stay pending until its requirements are met. */
export async function buy(api: Api, intent: BuyIntent): Promise<Purchase> {
  const { number, trunk, reference } = intent;
  // One that failed isn't placed again: whoever tries again here has another reference.
  const order = (await findOrder(api, reference)) ?? (await place(api, intent));
  if (!isOpenOrDone(order))
    throw new ProvisionerError("number-gone", "Telnyx couldn’t deliver this number. Choose another one.");
  if (order.status === "success") return { state: "bought", number: toHeld(number, trunk) };
  const sentence =
    order.requirements_met === false
      ? "Telnyx is waiting for what the country requires. Add it in the Telnyx Portal under Numbers, Orders."
      : "Telnyx is working on the order.";
  return { state: "pending", sentence };
}

/** An order of one number has one part, which is cancelled. Telnyx refuses that once it has begun to deliver. */
export async function cancel(
  api: Api,
  { reference }: Pick<BuyIntent, "reference">,
): Promise<"canceled" | "bought" | "pending"> {
  const order = await findOrder(api, reference);
  if (!order || !isOpenOrDone(order)) return "canceled";
  if (order.status === "success") return "bought";
  const parts = order.sub_number_orders_ids ?? [];
  try {
    for (const id of parts) await api.write("PATCH", `sub_number_orders/${id}/cancel`, Done);
    if (parts.length > 0) return "canceled";
  } catch (error) {
    if (!(error instanceof ProvisionerError) || error.fault !== "refused") throw error;
  }
  const { status } = (await findOrder(api, reference)) ?? order;
  return status === "success" ? "bought" : status === "pending" ? "pending" : "canceled";
}

async function place(api: Api, { number, countryCode, type, trunk, reference }: BuyIntent) {
  const groupId = await findGroup(api, countryCode, type);
  const body = {
    phone_numbers: [{ phone_number: number, ...(groupId !== undefined && { requirement_group_id: groupId }) }],
    connection_id: await connectionIdOf(api, trunk),
    customer_reference: reference,
  } satisfies Telnyx.NumberOrderCreateParams;
  return (await api.write("POST", "number_orders", z.object({ data: Order }), body)).data;
}

export async function attach(
  api: Api,
  { number, trunk, moves }: { number: string; trunk: string; moves: boolean },
): Promise<HeldNumber> {
  const held = await findHeld(api, number);
  if (!held) throw new ProvisionerError("number-gone", "The Telnyx account doesn’t have this number any more.");
  const connectionId = await connectionIdOf(api, trunk);
  const { data: voice } = await api.get(`phone_numbers/${held.id}/voice`, z.object({ data: Voice }));
  const forwarded = forwardedTo(voice);
  const use = held.connection_id === connectionId && forwarded === null ? null : useOf(held, forwarded);
  if (use !== null && !moves) throw new ProvisionerError("refused", `This number is in use at Telnyx. ${use}`);
  const body = { connection_id: connectionId } satisfies Telnyx.PhoneNumberUpdateParams;
  await api.write("PATCH", `phone_numbers/${held.id}`, Done, body);
  if (forwarded !== null) {
    const off = { call_forwarding: { call_forwarding_enabled: false } } satisfies VoiceUpdateParams;
    await api.write("PATCH", `phone_numbers/${held.id}/voice`, Done, off);
  }
  return toHeld(number, trunk);
}

export async function release(api: Api, number: string): Promise<void> {
  const held = await findHeld(api, number);
  if (held) await api.write("DELETE", `phone_numbers/${held.id}`, Done);
}

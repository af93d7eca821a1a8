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
import { z } from "zod";
import { type Api, Done, type Query } from "./api.ts";
import { connectionIdOf, connectionNames } from "./trunk.ts";

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
const typeNames = { local: "local", mobile: "mobile", "toll-free": "toll_free" } as const;

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
  customer_reference: z.string().nullish(),
  status: z.string(),
});

/** Every other status, "purchase-pending" and "port-out-pending" among them, is of a number that the account holds and pays for. */
const notHeld = new Set(["purchase-failed", "port-pending", "port-failed", "ported-out", "deleted"]);

export async function listHeld(api: Api): Promise<HeldNumber[]> {
  const [numbers, names] = await Promise.all([api.list("phone_numbers", Held), connectionNames(api)]);
  return numbers
    .filter(({ status }) => !notHeld.has(status))
    .map((each) => toHeld(each.phone_number, names.get(each.connection_id ?? "") ?? null));
}

const toHeld = (number: string, trunk: string | null): HeldNumber => ({ number, trunk, monthlyCostMicros: null });

async function findHeld(api: Api, number: string): Promise<z.output<typeof Held> | null> {
  const found = await api.list("phone_numbers", Held, {
    filter: { phone_number: number } satisfies Telnyx.PhoneNumberListParams["filter"],
  });
  return found.find((each) => each.phone_number === number) ?? null;
}

const Order = z.object({
  id: z.string(),
  status: z.enum(["pending", "success", "failure"]),
  customer_reference: z.string().nullish(),
  requirements_met: z.boolean().nullish(),
});

/** The order's customer reference finds it again; an order may stay pending until its requirements are met. */
export async function buy(api: Api, intent: BuyIntent): Promise<Purchase> {
  const { number, trunk, reference } = intent;
  const earlier = await api.list("number_orders", Order, {
    filter: { customer_reference: reference } satisfies Telnyx.NumberOrderListParams["filter"],
  });
  const ours = earlier.filter((each) => each.customer_reference === reference);
  // One that failed isn't placed again: whoever tries again here has another reference.
  const known = ours.find(({ status }) => status !== "failure") ?? ours[0];
  const order = known ?? (await place(api, intent));
  if (order.status === "failure")
    throw new ProvisionerError("number-gone", "Telnyx couldn’t deliver this number. Choose another one.");
  if (order.status === "success") return { state: "bought", number: toHeld(number, trunk) };
  const sentence =
    order.requirements_met === false
      ? "Telnyx is waiting for what the country requires. Add it in the Telnyx Portal under Numbers, Orders."
      : "Telnyx is working on the order.";
  return { state: "pending", sentence };
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

export async function attach(api: Api, number: string, trunk: string): Promise<HeldNumber> {
  const held = await findHeld(api, number);
  if (!held) throw new ProvisionerError("number-gone", "The Telnyx account doesn’t have this number any more.");
  const body = { connection_id: await connectionIdOf(api, trunk) } satisfies Telnyx.PhoneNumberUpdateParams;
  await api.write("PATCH", `phone_numbers/${held.id}`, Done, body);
  return toHeld(number, trunk);
}

export async function release(api: Api, number: string): Promise<void> {
  const held = await findHeld(api, number);
  if (held) await api.write("DELETE", `phone_numbers/${held.id}`, Done);
}

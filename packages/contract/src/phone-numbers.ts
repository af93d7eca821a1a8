import { z } from "zod";
import { CountryCode } from "./countries.ts";
import { endpoint } from "./endpoint.ts";
import { Id, IdempotencyKey, IdParams, Timestamp } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";
import { CurrentPassword } from "./passwords.ts";

const E164 = z.string().describe("E.164");
const MonthlyCost = z.int().describe("Millionths of a US dollar a month");
const AccountId = Id.describe("One of the organisation’s accounts at a carrier");

export const PhoneNumber = z.object({
  id: Id,
  number: E164,
  provider: z.string().describe("The carrier it was bought from"),
  createdAt: Timestamp.describe("When it was bought"),
  label: z.string().nullable(),
  isCallerId: z
    .boolean()
    .describe(
      "The caller ID of calls through the carrier it was bought from. Each carrier has exactly one: the first number, until another is chosen",
    ),
  accountId: AccountId.nullable().describe("The account it belongs to; null for the installation's carrier"),
  monthlyCost: MonthlyCost.nullable().describe(
    "Millionths of a US dollar a month, the carrier's price at the purchase; null if it reported none. The carrier bills an account’s numbers itself",
  ),
});
export type PhoneNumber = z.infer<typeof PhoneNumber>;

export const NumberSeller = z.object({
  accountId: AccountId.nullable().describe("Null: the installation's carrier"),
  name: z.string().describe("The vendor’s name"),
  label: z.string().describe("The account's label"),
  isSandbox: z.boolean().describe("Its numbers and prices are made up"),
});
export type NumberSeller = z.infer<typeof NumberSeller>;

export const NumberUse = z.object({
  carrier: z
    .string()
    .describe("The carrier that calls use now: the label of the organisation's own, or the name of the installation's"),
  usesNumbers: z
    .boolean()
    .describe("Whether that is the installation's; any other neither shows nor rings the numbers bought there"),
  isSandbox: z.boolean().describe("Calls reach simulated callees, and no phone"),
  accountId: AccountId.nullable().describe("The account whose trunk calls use; null if they use another carrier"),
  sellers: z
    .array(NumberSeller)
    .min(1)
    .describe("Where numbers are bought: the organisation’s accounts, or the installation's carrier if it has none"),
});
export type NumberUse = z.infer<typeof NumberUse>;

const NumberRenewal = z.object({
  id: Id,
  number: E164,
  costMicros: MonthlyCost,
  renewsOn: z.iso.date().describe("When its next month begins, in the organisation’s time zone"),
  releaseOn: z.iso
    .date()
    .nullable()
    .describe("The day on which it is released, if the balance doesn’t cover its renewal by then; null if it is paid"),
});

export const NumberRenewals = z.object({
  renewals: z.array(NumberRenewal).describe("Next renewal first; empty in a metered organisation, which isn’t charged"),
  dueSoon: z
    .object({ micros: z.int().describe("Millionths of a US dollar"), isCovered: z.boolean() })
    .describe("The sum due within a week or unpaid, and whether the balance covers it"),
});
export type NumberRenewals = z.infer<typeof NumberRenewals>;

export const AvailableNumber = z.object({
  number: E164,
  location: z.string().nullable().describe("Null for a number without a place"),
  region: z.string().nullable(),
  capabilities: z.object({ voice: z.boolean(), sms: z.boolean(), mms: z.boolean(), fax: z.boolean() }),
  monthlyCost: MonthlyCost,
  upfrontCost: z
    .int()
    .positive()
    .optional()
    .describe("Millionths of a US dollar, paid once at the purchase; missing if nothing is"),
  requirement: z
    .string()
    .nullable()
    .describe("What the country requires before the number may be used; null if nothing"),
});
export type AvailableNumber = z.infer<typeof AvailableNumber>;

/** Anyone who hasn't found a number among this many will search again. */
export const farthestSkip = 2_000;

/** A single character matches almost everything, so it isn't searched for. */
export const countsAsSearch = (text: string): boolean => text.trim().length > 1;

export const UpdatePhoneNumberInput = z.object({
  label: oneLine(z.string().trim().max(60, "Keep the label under 60 characters."))
    .nullish()
    .transform((label) => (label === "" ? null : label))
    .describe("Null or empty removes it"),
  isCallerId: z.boolean().optional(),
});

export const listPhoneNumbers = endpoint({
  method: "GET",
  path: "/v1/phone-numbers",
  summary: "List the organisation's numbers, newest first",
  access: "analyst",
  audit: null,
  success: [200, z.array(PhoneNumber)],
  problems: [],
});
export const readNumberUse = endpoint({
  method: "GET",
  path: "/v1/phone-numbers/use",
  summary: "Read whether the organisation's calls currently show and ring its numbers",
  access: "analyst",
  audit: null,
  success: [200, NumberUse],
  problems: [],
});
export const readNumberRenewals = endpoint({
  method: "GET",
  path: "/v1/phone-numbers/renewals",
  summary: "Read when numbers bought from the installation's carrier renew, and which are unpaid",
  access: "analyst",
  audit: null,
  success: [200, NumberRenewals],
  problems: [],
});
export const listAvailableNumbers = endpoint({
  method: "GET",
  path: "/v1/phone-numbers/available",
  summary: "Search the carrier's stock; the Link header (rel=next) has the next page",
  access: "analyst",
  audit: null,
  query: z.object({
    countryCode: CountryCode,
    query: z
      .string()
      .trim()
      .max(40, "Search for at most 40 characters.")
      .optional()
      .describe("Digits, an area code or a place; at least 2 characters"),
    accountId: AccountId.optional().describe("Searches the stock of that account’s carrier, at its prices"),
    skip: z.coerce.number().int().min(0).max(farthestSkip).default(0).describe("From a Link header"),
  }),
  mayTakeMs: 30_000,
  success: [200, z.array(AvailableNumber)],
  problems: ["carrier-unreachable", "carrier-refused", "not-supported", "not-found"],
});
export const buyPhoneNumber = endpoint({
  method: "POST",
  path: "/v1/phone-numbers",
  summary: "Buy a number",
  access: "admin",
  audit: "phone-number.bought",
  headers: z.object({
    "idempotency-key": IdempotencyKey.optional().describe("The same request again returns the first purchase"),
  }),
  body: z.object({
    number: z.string().regex(/^\+[1-9]\d{6,14}$/, "Enter the number in E.164 format, such as +12125550123."),
    currentPassword: CurrentPassword,
  }),
  success: [201, PhoneNumber],
  problems: [
    "number-taken",
    "carrier-unreachable",
    "idempotency-key-reused",
    "not-supported",
    "balance-too-low",
    "quota-reached",
    "password-required",
    "wrong-credentials",
    "not-allowed",
    "too-many-attempts",
  ],
});
export const updatePhoneNumber = endpoint({
  method: "PUT",
  path: "/v1/phone-numbers/{id}",
  summary: "Label a number, or make it the caller ID",
  access: "admin",
  audit: "phone-number.updated",
  params: IdParams,
  body: UpdatePhoneNumberInput,
  success: [200, PhoneNumber],
  problems: ["not-found"],
});
export const releasePhoneNumber = endpoint({
  method: "DELETE",
  path: "/v1/phone-numbers/{id}",
  summary: "Release a number",
  access: "admin",
  audit: "phone-number.released",
  params: IdParams,
  mayTakeMs: 30_000,
  success: [204, null],
  problems: ["not-found", "carrier-unreachable", "carrier-refused"],
});

import { z } from "zod";
import { CountryCode } from "./countries.ts";
import { endpoint } from "./endpoint.ts";
import { Id, IdempotencyKey, IdParams, Timestamp } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";

const E164 = z.string().describe("E.164");
const MonthlyCost = z.int().describe("Millionths of a US dollar a month");

export const PhoneNumber = z.object({
  id: Id,
  number: E164,
  provider: z.string().describe("The carrier it was bought from"),
  createdAt: Timestamp.describe("When it was acquired"),
  label: z.string().nullable(),
  isCallerId: z
    .boolean()
    .describe(
      "Shown to those the organisation calls through the carrier it was bought from. One of its numbers always is: the first, until another is chosen",
    ),
  monthlyCost: MonthlyCost,
});
export type PhoneNumber = z.infer<typeof PhoneNumber>;

export const NumberUse = z.object({
  carrier: z
    .string()
    .describe("Through which calls go now: the label of the organisation's own, or the name of the one for everybody"),
  usesNumbers: z
    .boolean()
    .describe("Whether that one sells the numbers here; another neither shows nor rings those of the organisation"),
});
export type NumberUse = z.infer<typeof NumberUse>;

export const AvailableNumber = z.object({
  number: E164,
  location: z.string().nullable().describe("Null where the number belongs to no place"),
  region: z.string().nullable(),
  capabilities: z.object({ voice: z.boolean(), sms: z.boolean(), mms: z.boolean(), fax: z.boolean() }),
  monthlyCost: MonthlyCost,
  requirement: z
    .string()
    .nullable()
    .describe("What the country asks for before the number may be used; null where it asks for nothing"),
});
export type AvailableNumber = z.infer<typeof AvailableNumber>;

/** Whoever has not found a number among so many searches for another. */
export const farthestSkip = 2_000;

/** A single character finds everything and nothing, so it is not searched for. */
export const countsAsSearch = (text: string): boolean => text.trim().length > 1;

export const UpdatePhoneNumberInput = z.object({
  label: oneLine(z.string().trim().max(60, "Keep the label under 60 characters."))
    .nullish()
    .transform((label) => (label === "" ? null : label))
    .describe("Null or empty takes it off"),
  isCallerId: z.boolean().optional(),
});

export const listPhoneNumbers = endpoint({
  method: "GET",
  path: "/v1/phone-numbers",
  summary: "List the organisation's numbers, newest first",
  access: "member",
  audit: null,
  success: [200, z.array(PhoneNumber)],
  problems: [],
});
export const readNumberUse = endpoint({
  method: "GET",
  path: "/v1/phone-numbers/use",
  summary: "Read whether the organisation's calls show and ring its numbers now",
  access: "member",
  audit: null,
  success: [200, NumberUse],
  problems: [],
});
export const listAvailableNumbers = endpoint({
  method: "GET",
  path: "/v1/phone-numbers/available",
  summary: "Search the carrier's stock; the Link header (rel=next) leads on",
  access: "member",
  audit: null,
  query: z.object({
    countryCode: CountryCode,
    query: z
      .string()
      .trim()
      .max(40, "Search for at most 40 characters.")
      .optional()
      .describe("Digits, an area code or a place; counts from 2 characters on"),
    skip: z.coerce.number().int().min(0).max(farthestSkip).default(0).describe("From a Link header"),
  }),
  success: [200, z.array(AvailableNumber)],
  problems: ["carrier-unreachable", "not-supported"],
});
export const buyPhoneNumber = endpoint({
  method: "POST",
  path: "/v1/phone-numbers",
  summary: "Buy a number",
  access: "admin",
  audit: "phone-number.bought",
  headers: z.object({
    "idempotency-key": IdempotencyKey.optional().describe(
      "Sent again with the same body, it answers the first purchase",
    ),
  }),
  body: z.object({
    number: z.string().regex(/^\+[1-9]\d{6,14}$/, "Enter the number in E.164 format, such as +12125550123."),
  }),
  success: [201, PhoneNumber],
  problems: ["number-taken", "carrier-unreachable", "idempotency-key-reused", "not-supported"],
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
  summary: "Give a number back",
  access: "admin",
  audit: "phone-number.released",
  params: IdParams,
  success: [204, null],
  problems: ["not-found", "carrier-unreachable"],
});

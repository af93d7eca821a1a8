import { z } from "zod";
import { CountryCode } from "./countries.ts";
import { endpoint } from "./endpoint.ts";
import { Id, IdempotencyKey, IdParams, Timestamp } from "./identifiers.ts";
import { CurrentPassword } from "./passwords.ts";

const Number = z.string().regex(/^\+[1-9]\d{6,14}$/, "Enter the number in E.164 format, such as +12125550123.");
/** One answer may take several requests to a vendor's API. */
const mayTakeMs = 30_000;

export const NumberOrder = z.object({
  id: Id,
  number: z.string().describe("E.164"),
  provider: z.string(),
  accountId: Id.nullable(),
  state: z
    .enum(["pending", "bought", "refused", "releasing", "changed-elsewhere"])
    .describe("changed-elsewhere: bought, released or moved at the carrier, not here"),
  sentence: z.string().nullable().describe("Its state, or what happened, for an admin"),
  since: Timestamp,
});
export type NumberOrder = z.infer<typeof NumberOrder>;

export const NumberRequirement = z.object({
  met: z.boolean(),
  sentence: z.string().describe("The requirement, and what to do if it isn't met"),
});
export type NumberRequirement = z.infer<typeof NumberRequirement>;

export const UnusedNumber = z.object({
  number: z.string().describe("E.164"),
  use: z.string().nullable().describe("Where calls to it go now, as a sentence; null if nowhere"),
});
export type UnusedNumber = z.infer<typeof UnusedNumber>;

export const listNumberOrders = endpoint({
  method: "GET",
  path: "/v1/number-orders",
  summary: "List unfinished and refused purchases, unfinished releases, and numbers that changed at the carrier",
  access: "analyst",
  audit: null,
  success: [200, z.array(NumberOrder)],
  problems: [],
});
export const orderNumber = endpoint({
  method: "POST",
  path: "/v1/number-orders",
  summary: "Buy a number from one of the organisation’s accounts; the carrier bills it",
  access: "admin",
  audit: "phone-number.ordered",
  headers: z.object({
    "idempotency-key": IdempotencyKey.optional().describe("The same request again returns the first order"),
  }),
  body: z.object({ accountId: Id, number: Number, countryCode: CountryCode, currentPassword: CurrentPassword }),
  mayTakeMs,
  success: [201, NumberOrder],
  problems: [
    "not-found",
    "number-taken",
    "carrier-refused",
    "carrier-unreachable",
    "idempotency-key-reused",
    "quota-reached",
    "password-required",
    "wrong-credentials",
    "not-allowed",
    "too-many-attempts",
  ],
});
export const dismissNumberOrder = endpoint({
  method: "DELETE",
  path: "/v1/number-orders/{id}",
  summary: "Dismiss a refused purchase or a change at the carrier",
  access: "admin",
  audit: "phone-number.order-dismissed",
  params: IdParams,
  success: [204, null],
  problems: ["not-found"],
});
export const readNumberRequirements = endpoint({
  method: "GET",
  path: "/v1/number-requirements",
  summary: "Read what a country requires before this number is sold",
  access: "admin",
  audit: null,
  query: z.object({ accountId: Id, countryCode: CountryCode, number: Number }),
  mayTakeMs,
  success: [200, z.array(NumberRequirement)],
  problems: ["not-found", "carrier-refused", "carrier-unreachable"],
});
export const listUnusedNumbers = endpoint({
  method: "GET",
  path: "/v1/carrier-accounts/{id}/numbers",
  summary: "List the numbers that the account has and that nobody uses here, as the carrier has them now",
  access: "admin",
  audit: null,
  params: IdParams,
  mayTakeMs,
  success: [200, z.array(UnusedNumber)],
  problems: ["not-found", "carrier-refused", "carrier-unreachable"],
});
export const checkAccountNumbers = endpoint({
  method: "POST",
  path: "/v1/carrier-accounts/{id}/check-numbers",
  summary: "Compare the numbers here with the account's; returns those not used here",
  access: "admin",
  audit: "phone-number.checked",
  params: IdParams,
  mayTakeMs,
  success: [200, z.array(UnusedNumber)],
  problems: ["not-found", "carrier-refused", "carrier-unreachable"],
});
export const adoptNumber = endpoint({
  method: "POST",
  path: "/v1/carrier-accounts/{id}/numbers",
  summary: "Make a number that the account already has ring here",
  access: "admin",
  audit: "phone-number.adopted",
  params: IdParams,
  body: z.object({
    number: Number,
    moves: z.boolean().default(false).describe("Also if calls to it go elsewhere now, which they no longer do then"),
  }),
  mayTakeMs,
  success: [201, NumberOrder],
  problems: ["not-found", "number-taken", "carrier-refused", "carrier-unreachable"],
});

import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdempotencyKey, IdParams, Timestamp } from "./identifiers.ts";

const micros = z.int().describe("Millionths of a US dollar");

/** Whole cents are paid. */
export const topUpStepMicros = 10_000;
const range = "Enter an amount from $5 to $1,000.";

export const TopUpInput = z.object({
  amountMicros: z
    .number({ error: range })
    .min(5_000_000, range)
    .max(1_000_000_000, range)
    .refine((amount) => amount % topUpStepMicros === 0, "Enter whole cents.")
    .describe("Millionths of a US dollar, in whole cents"),
});

export const TopUp = z.object({
  id: Id,
  amountMicros: micros,
  state: z
    .enum(["open", "paid", "declined", "expired"])
    .describe("open: not paid yet. It reaches the balance when it is paid"),
  checkoutUrl: z.string().nullable().describe("Where an open one is paid; null if nothing can be done there"),
  refundedMicros: micros,
  chargedBackMicros: micros.describe("Taken back by the payer's bank"),
  method: z.string().nullable().describe("How it was paid, as the provider names it"),
  providerName: z.string(),
  isSandbox: z.boolean().describe("No money moved"),
  receiptNumber: z.string().nullable().describe("Null until it is paid"),
  userName: z.string().describe("Who started it"),
  createdAt: Timestamp,
  paidAt: Timestamp.nullable(),
});
export type TopUp = z.infer<typeof TopUp>;

const TopUps = z.object({
  provider: z
    .object({ name: z.string(), isSandbox: z.boolean() })
    .nullable()
    .describe("Through which the next one is paid; null if this server has none"),
  topUps: z.array(TopUp),
  hasMore: z.boolean(),
});
export type TopUps = z.infer<typeof TopUps>;

export const listTopUps = endpoint({
  method: "GET",
  path: "/v1/billing/top-ups",
  summary: "List top-ups, newest first, 20 at a time",
  access: "admin",
  audit: null,
  query: z.object({ before: Id.optional().describe("The id of the last top-up of the page before") }),
  success: [200, TopUps],
  problems: [],
});
export const startTopUp = endpoint({
  method: "POST",
  path: "/v1/billing/top-ups",
  summary: "Start a top-up of the balance; a browser pays it at checkoutUrl",
  access: "admin",
  audit: "top-up.started",
  headers: z.object({
    "idempotency-key": IdempotencyKey.describe("Sent again with the same body, it answers the first top-up"),
  }),
  body: TopUpInput,
  mayTakeMs: 20_000,
  success: [201, TopUp],
  problems: ["payment-refused", "payment-unreachable", "payments-off", "idempotency-key-reused", "quota-reached"],
});
export const getTopUp = endpoint({
  method: "GET",
  path: "/v1/billing/top-ups/{id}",
  summary: "Read a top-up; of an open one the payment provider is asked how it stands",
  access: "admin",
  audit: null,
  params: IdParams,
  mayTakeMs: 20_000,
  success: [200, TopUp],
  problems: ["not-found"],
});
export const cancelTopUp = endpoint({
  method: "POST",
  path: "/v1/billing/top-ups/{id}/cancel",
  summary: "Cancel a top-up that isn't paid yet; the answer says whether it was paid meanwhile",
  access: "admin",
  audit: "top-up.canceled",
  params: IdParams,
  mayTakeMs: 20_000,
  success: [200, TopUp],
  problems: ["not-found", "payment-unreachable"],
});

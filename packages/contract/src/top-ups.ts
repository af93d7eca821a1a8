import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdempotencyKey, IdParams, Timestamp } from "./identifiers.ts";
import { CurrentPassword } from "./passwords.ts";

const micros = z.int().describe("Millionths of a US dollar");

/** Payments are in whole cents. */
export const topUpStepMicros = 10_000;
const range = "Enter an amount from $5 to $1,000.";

export const TopUpInput = z.object({
  amountMicros: z
    .number({ error: range })
    .min(5_000_000, range)
    .max(1_000_000_000, range)
    .refine((amount) => amount % topUpStepMicros === 0, "Enter whole cents.")
    .describe("Millionths of a US dollar, in whole cents"),
  savesMethod: z
    .boolean()
    .optional()
    .describe("Saves the payment method for automatic top-ups, if the payment provider can (canSaveMethod)"),
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
  isAutomatic: z.boolean().describe("Charged to the saved payment method because of a low balance"),
  userName: z.string().describe("Who started it; for an automatic one, an owner"),
  createdAt: Timestamp,
  paidAt: Timestamp.nullable(),
});
export type TopUp = z.infer<typeof TopUp>;

const TopUps = z.object({
  provider: z
    .object({ name: z.string(), isSandbox: z.boolean(), canSaveMethod: z.boolean() })
    .nullable()
    .describe("The provider for the next one; null if this server has none"),
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
  query: z.object({ before: Id.optional().describe("The id of the last top-up on the previous page") }),
  success: [200, TopUps],
  problems: [],
});
export const startTopUp = endpoint({
  method: "POST",
  path: "/v1/billing/top-ups",
  summary: "Start a top-up of the balance, to be paid in a browser at checkoutUrl",
  access: "admin",
  audit: "top-up.started",
  headers: z.object({
    "idempotency-key": IdempotencyKey.describe("The same request again returns the first top-up"),
  }),
  body: TopUpInput,
  mayTakeMs: 20_000,
  success: [201, TopUp],
  problems: ["payment-refused", "payment-unreachable", "payments-off", "idempotency-key-reused", "quota-reached"],
});
export const getTopUp = endpoint({
  method: "GET",
  path: "/v1/billing/top-ups/{id}",
  summary: "Read a top-up; the state of an open one is read from the payment provider",
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
  summary: "Cancel an unpaid top-up; the response says whether it was paid meanwhile",
  access: "admin",
  audit: "top-up.canceled",
  params: IdParams,
  mayTakeMs: 20_000,
  success: [200, TopUp],
  problems: ["not-found", "payment-refused", "payment-unreachable"],
});

const minAndMax = TopUpInput.shape.amountMicros;
const threshold = z
  .int("Enter an amount.")
  .min(0, "Enter an amount of $0 or more.")
  .max(1_000_000_000, "At most $1,000.")
  .refine((amount) => amount % topUpStepMicros === 0, "Enter whole cents.");

const Automatic = z.object({
  belowMicros: threshold.describe("When the balance, less the holds for calls, is below this"),
  amountMicros: minAndMax,
  monthLimitMicros: z
    .int("Enter an amount.")
    .min(5_000_000, "At least $5.")
    .max(20_000_000_000, "At most $20,000 a month.")
    .refine((amount) => amount % topUpStepMicros === 0, "Enter whole cents.")
    .describe("The most that automatic top-ups may add in a calendar month, in UTC"),
});

export const BalanceSettings = z.object({
  lowBelowMicros: threshold
    .nullable()
    .describe("Owners are mailed once each time the balance falls below; null: never"),
  automatic: Automatic.nullable().describe("Null: off"),
  savedMethod: z
    .string()
    .nullable()
    .describe("The saved payment method, such as “Visa ending in 4242”; null if there is none"),
  canSaveMethod: z.boolean().describe("Whether this server’s payment provider can charge without the payer"),
  pausedWhy: z.string().nullable().describe("Why automatic top-ups are paused; changing them resumes them"),
  addedThisMonthMicros: micros.describe("Added by automatic top-ups"),
});
export type BalanceSettings = z.infer<typeof BalanceSettings>;

/** Missing fields stay unchanged. */
export const BalanceSettingsInput = z.object({
  lowBelowMicros: threshold.nullable().optional(),
  automatic: Automatic.refine(({ amountMicros, monthLimitMicros }) => amountMicros <= monthLimitMicros, {
    path: ["monthLimitMicros"],
    message: "The monthly limit must cover at least one top-up.",
  })
    .nullable()
    .optional(),
  savedMethod: z.null().optional().describe("null: remove it, which turns automatic top-ups off"),
  currentPassword: CurrentPassword,
});

export const getBalanceSettings = endpoint({
  method: "GET",
  path: "/v1/billing/balance-settings",
  summary: "Read when owners are mailed about a low balance, and when it is topped up automatically",
  access: "admin",
  audit: null,
  success: [200, BalanceSettings],
  problems: [],
});
export const updateBalanceSettings = endpoint({
  method: "PUT",
  path: "/v1/billing/balance-settings",
  summary: "Change these settings; turning automatic top-ups on, resuming or raising them needs your password",
  access: "admin",
  audit: "billing.balance-settings-changed",
  body: BalanceSettingsInput,
  success: [200, BalanceSettings],
  problems: ["password-required", "wrong-credentials", "not-allowed", "too-many-attempts", "no-saved-method"],
});

import { z } from "zod";
import { OtherCurrency } from "./carrier-costs.ts";
import { endpoint } from "./endpoint.ts";
import { CallSid, GivenDay, Id, Timestamp } from "./identifiers.ts";
import { CurrentPassword } from "./passwords.ts";

const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, "Enter a month as 2026-01.");
const micros = z.int().describe("Millionths of a US dollar");

const StatementDay = z.object({
  date: z.iso.date(),
  calls: z.int(),
  answered: z.int(),
  talkMs: z.int().describe("The sum of the calls' durations, each in whole seconds"),
  costMicros: micros,
  unpricedCalls: z.int().describe("Ended calls whose cost isn’t known, as no rate was; costMicros counts them as 0"),
});
export type StatementDay = z.infer<typeof StatementDay>;

const StatementNumber = z.object({
  id: Id,
  number: z.string().describe("E.164"),
  acquiredAt: Timestamp,
  releasedAt: Timestamp.nullable(),
  monthlyCostMicros: micros
    .nullable()
    .describe(
      "The carrier's monthly price, charged to the balance of a prepaid organisation; for a number of the organisation's own account, its carrier bills it. Null: not known, as for a number that the account had already, and not counted",
    ),
});
export type StatementNumber = z.infer<typeof StatementNumber>;

export const Statement = z.object({
  month: Month,
  timeZone: z.string().describe("The time zone of the days"),
  balanceMicros: micros.describe("The current balance"),
  days: z.array(StatementDay).describe("Newest first; days without calls are omitted"),
  numbers: z.array(StatementNumber).describe("Held at any time of the month"),
  otherCurrencies: z
    .array(OtherCurrency)
    .describe("What the month’s calls cost in currencies that the ledger doesn’t count"),
});
export type Statement = z.infer<typeof Statement>;

export const BillingSummary = z.object({
  mode: z
    .enum(["metered", "prepaid"])
    .describe("metered: the organisation's own carrier bills it, and costs are counted; prepaid: calls need a balance"),
  balanceMicros: micros,
  heldMicros: micros.describe("The part of the balance held for live calls"),
  month: Month.describe("This month, in the organisation's time zone"),
  monthCostMicros: micros.describe("Charges this month so far; calls are charged when they end"),
});
export type BillingSummary = z.infer<typeof BillingSummary>;

export const entryKinds = ["call", "correction", "number", "top-up", "refund", "chargeback", "adjustment"] as const;
export const EntryKind = z.enum(entryKinds);
export type EntryKind = z.infer<typeof EntryKind>;

const StatementEntry = z.object({
  id: z.int(),
  postedAt: Timestamp,
  kind: EntryKind,
  amountMicros: micros.describe("Negative: a charge"),
  account: z
    .enum(["balance", "carrier", "write-off"])
    .describe(
      "Which account changes: the balance, the bill of the organisation's own carrier, or costs that no balance covered",
    ),
  runningMicros: micros.describe(
    "The account's balance after the entry; for the carrier's bill, all charges so far as a negative number",
  ),
  callSid: CallSid.nullable(),
  phoneNumber: z
    .string()
    .nullable()
    .describe("E.164: the number of a call that is still in the log, or the number that was paid for"),
  userName: z.string().nullable(),
});
export type StatementEntry = z.infer<typeof StatementEntry>;

export const readBillingSummary = endpoint({
  method: "GET",
  path: "/v1/billing/summary",
  summary: "Read your active organisation's balance, and this month's cost",
  access: "analyst",
  audit: null,
  success: [200, BillingSummary],
  problems: [],
});
export const BillingModeInput = z.object({
  mode: BillingSummary.shape.mode,
  currentPassword: CurrentPassword,
});
export const setBillingMode = endpoint({
  method: "PUT",
  path: "/v1/billing/mode",
  summary: "Choose whether calls need a balance; calls in progress aren't affected",
  access: "owner",
  audit: "billing.mode-changed",
  body: BillingModeInput,
  success: [200, BillingSummary],
  problems: ["not-allowed", "password-required", "wrong-credentials", "too-many-attempts"],
});
const dayHelp = "Enter a day as YYYY-MM-DD.";
const narrowed = {
  kind: EntryKind.optional(),
  from: GivenDay(dayHelp).optional().describe("Of the month, the first day, in the organisation’s time zone"),
  to: GivenDay(dayHelp).optional().describe("The last day"),
};
const entriesAsked = { month: Month.optional().describe("Default: all months"), ...narrowed };
export const listStatementEntries = endpoint({
  method: "GET",
  path: "/v1/billing/entries",
  summary: "List the ledger's entries, newest first, 50 at a time, each with the balance after it",
  access: "analyst",
  audit: null,
  query: z.object({
    ...entriesAsked,
    before: z.coerce
      .number()
      .int()
      .positive()
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("The id of the last entry of the page before"),
  }),
  success: [200, z.object({ entries: z.array(StatementEntry), hasMore: z.boolean() })],
  problems: [],
});
export const exportStatementEntries = endpoint({
  method: "GET",
  path: "/v1/billing/entries/export",
  summary: "Export these entries as CSV; cells that a spreadsheet would execute are escaped",
  access: "analyst",
  audit: "billing.statement-exported",
  query: z.object(entriesAsked),
  success: [200, "file"],
  problems: [],
});
export const exportStatementPdf = endpoint({
  method: "GET",
  path: "/v1/billing/entries/pdf",
  summary: "Export a month's entries, or those of some of its days, as PDF, up to 2,000",
  access: "analyst",
  audit: "billing.statement-exported",
  query: z.object({ month: Month, ...narrowed }),
  success: [200, "file"],
  problems: ["statement-too-long"],
});

const query = z.object({ month: Month.optional().describe("Default: this month") });

export const readStatement = endpoint({
  method: "GET",
  path: "/v1/billing/statement",
  summary: "Read a month's calls by day, and the numbers held in it",
  access: "analyst",
  audit: null,
  query,
  success: [200, Statement],
  problems: [],
});
export const exportStatement = endpoint({
  method: "GET",
  path: "/v1/billing/statement/export",
  summary: "Export a month's calls as CSV, one per line; cells that a spreadsheet would execute are escaped",
  access: "analyst",
  audit: "billing.statement-exported",
  query,
  success: [200, "file"],
  problems: [],
});

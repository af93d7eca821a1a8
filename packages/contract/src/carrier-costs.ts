import { z } from "zod";
import { Call, CallParams } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { CallSid, Id, Timestamp } from "./identifiers.ts";

const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, "Enter a month as 2026-01.");
const micros = z.int().describe("Millionths of a US dollar");

export const differenceKinds = ["differs", "no-record", "no-call"] as const;
export const DifferenceKind = z.enum(differenceKinds);
export type DifferenceKind = z.infer<typeof DifferenceKind>;

const CostDifference = z.object({
  kind: DifferenceKind.describe(
    "differs: the record’s cost isn’t the counted one; no-record: an answered call without a priced record an hour after its end; no-call: a record without a matching call",
  ),
  key: z.string().describe("Unique in the list"),
  begunAt: Timestamp,
  callSid: CallSid.nullable(),
  phoneNumber: z.string().describe("The far end; empty if it is withheld"),
  direction: Call.shape.direction.nullable().describe("Null for a record without a call"),
  carrier: z.string().nullable().describe("The organisation's label; null once it is disconnected"),
  seconds: z.int().describe("The call’s duration; for a record without a call, the record’s"),
  countedMicros: micros.nullable().describe("According to the rate, with the margin; null without a call"),
  carrierCost: z
    .object({ micros: z.int().describe("Millionths of the currency, without the margin"), currency: z.string() })
    .nullable()
    .describe("Null without a priced record"),
  differenceMicros: micros
    .nullable()
    .describe("The record’s cost with the margin, minus what was counted; null if they can’t be compared"),
});
export type CostDifference = z.infer<typeof CostDifference>;

const RecordSource = z.object({
  accountId: Id,
  label: z.string(),
  readAt: Timestamp.nullable().describe("Records have been read up to this time; null: not yet"),
  failure: z.string().nullable().describe("Why the last attempt failed"),
});
export type RecordSource = z.infer<typeof RecordSource>;

/** The ledger is in US dollars, and nothing is converted. */
export const OtherCurrency = z.object({
  currency: z.string().describe("ISO 4217"),
  micros: z.int().describe("What carriers bill in it, in millionths, without the margin"),
  uncountedMicros: z
    .int()
    .describe("Of that, what they bill for calls that cost nothing in US dollars, and without a call"),
});
export type OtherCurrency = z.infer<typeof OtherCurrency>;

const CostTotals = z.object({
  matchedCalls: z.int(),
  countedMicros: micros.describe("For matched calls, according to the rates"),
  carrierMicros: micros.describe("For matched calls, according to the records, with the margin"),
  otherCurrencies: z.array(OtherCurrency).describe("Not in carrierMicros"),
  differing: z.int(),
  withoutRecord: z.int(),
  withoutCall: z.int(),
});
export type CostTotals = z.infer<typeof CostTotals>;

const Moment = z.iso.datetime({ precision: 6 });
/** The time and the key of a difference. */
const Cursor = z
  .string()
  .regex(/^20[^~]+~[ -~]{1,300}$/, "Send back `next` of the page before.")
  .refine((text) => Moment.safeParse(text.split("~", 1)[0]).success, "Send back `next` of the page before.");

const asked = {
  month: Month.optional().describe("Default: this month"),
  kind: DifferenceKind.optional(),
};

export const listCostDifferences = endpoint({
  method: "GET",
  path: "/v1/billing/carrier-costs",
  summary:
    "List calls whose cost differs from the carrier’s record or that have none, and records without a call; newest first",
  access: "admin",
  audit: null,
  query: z.object({
    ...asked,
    before: Cursor.optional().describe("`next` of the previous page"),
  }),
  success: [
    200,
    z.object({
      month: Month,
      sources: z.array(RecordSource).describe("The accounts whose records are read"),
      totals: CostTotals,
      differences: z.array(CostDifference),
      next: z.string().nullable().describe("Null on the last page"),
    }),
  ],
  problems: [],
});

export const exportCostDifferences = endpoint({
  method: "GET",
  path: "/v1/billing/carrier-costs/export",
  summary: "Export all of these differences as CSV; cells that a spreadsheet would execute are escaped",
  access: "admin",
  audit: "billing.carrier-costs-exported",
  query: z.object(asked),
  success: [200, "file"],
  problems: [],
});

export const readCarrierRecords = endpoint({
  method: "POST",
  path: "/v1/billing/carrier-costs/read",
  summary: "Read the carriers’ records now, which otherwise happens every ten minutes",
  access: "admin",
  audit: "billing.carrier-records-read",
  success: [204, null],
  problems: ["carrier-refused", "carrier-unreachable"],
});

export const readCallCost = endpoint({
  method: "GET",
  path: "/v1/calls/{callSid}/carrier-cost",
  summary: "Read the cost of a call according to the carrier’s records",
  access: "admin",
  audit: null,
  params: CallParams,
  success: [
    200,
    z.object({
      carrierCost: CostDifference.shape.carrierCost,
      countedMicros: micros.describe("According to the rate, with the margin"),
      chargedMicros: micros.describe("What the ledger has charged"),
    }),
  ],
  problems: ["not-found"],
});

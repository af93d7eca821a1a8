import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";
import { CurrentPassword } from "./passwords.ts";

/** In millionths of a dollar. */
const micros = (most: number, sentence: string) =>
  z.int("Enter an amount.").min(0, "Enter an amount of $0 or more.").max(most, sentence);
const seconds = z
  .int("Enter a whole number of seconds.")
  .min(1, "At least one second.")
  .max(3_600, "At most 3,600 seconds.");

/** The price of a call, including the margin. */
export const CallRate = z.object({
  perMinuteMicros: micros(100_000_000, "At most $100 a minute.").describe("Millionths of a US dollar"),
  connectionFeeMicros: micros(100_000_000, "At most $100 a call.").describe("Once for each answered call"),
  firstSeconds: seconds.describe("The minimum billed duration of an answered call"),
  nextSeconds: seconds.describe("After that, each started stretch of this length is billed in full"),
});
export type CallRate = z.infer<typeof CallRate>;

export const maxRates = 50_000;
export const largestRatesBytes = 5 * 2 ** 20;

const Prefix = z
  .string()
  .trim()
  .transform((typed) => typed.replaceAll(/[\s()-]/g, "").replace(/^\+/, ""))
  .pipe(
    z
      .string()
      .regex(/^\d{0,15}$/, "Enter the first digits of a number, such as 4930, or nothing for all numbers.")
      .describe("The first digits of a number, without the +; empty: all numbers. The longest match applies"),
  );

export const RateInput = CallRate.extend({
  prefix: Prefix,
  description: oneLine(z.string().trim().max(100, "Keep the destination under 100 characters.")).default(""),
  effectiveFrom: z.iso.date("Enter a date.").describe("In the organisation’s time zone"),
});
export type RateInput = z.output<typeof RateInput>;

export const Rate = CallRate.extend({
  id: Id,
  prefix: z.string(),
  description: z.string(),
  effectiveFrom: z.iso.date(),
  fromCarrier: z.boolean().describe("Read from the carrier’s API"),
});
export type Rate = z.infer<typeof Rate>;

export const NumberRate = z.object({
  rate: CallRate.nullable().describe("With the margin; null if the carrier has no rate for the number"),
  description: z.string().describe("The destination; may be empty"),
  isSandbox: z.boolean().describe("The price is made up: the call doesn’t leave this server"),
});
export type NumberRate = z.infer<typeof NumberRate>;

const marginPercent = z
  .int("Enter a whole percentage.")
  .min(0, "Enter 0 or more.")
  .max(1_000, "At most 1,000%.")
  .describe("Added to each rate, in percent");

export const MarginInput = z.object({ marginPercent, currentPassword: CurrentPassword });

/** Of changes that make calls cheaper: the limits count what calls cost. */
const confirmationProblems = ["not-allowed", "password-required", "wrong-credentials", "too-many-attempts"] as const;

export const readNumberRate = endpoint({
  method: "GET",
  path: "/v1/rates/number",
  summary: "Read the current price of a call to a number",
  access: "member",
  audit: null,
  query: z.object({ phoneNumber: z.string().trim().min(1, "Enter a phone number.").max(40) }),
  success: [200, NumberRate],
  problems: ["phone-number-invalid"],
});
export const listRates = endpoint({
  method: "GET",
  path: "/v1/carriers/{id}/rates",
  summary: "List a carrier’s rates by prefix, 100 at a time, newest first within a prefix",
  access: "admin",
  audit: null,
  params: IdParams,
  query: z.object({
    search: z.string().trim().max(100).optional().describe("The first digits, or part of the destination"),
    after: Id.optional().describe("The last rate of the previous page"),
  }),
  success: [
    200,
    z.object({
      rates: z.array(Rate),
      hasMore: z.boolean(),
      total: z.int(),
      marginPercent,
      readsFromCarrier: z.boolean(),
    }),
  ],
  problems: ["not-found"],
});
export const saveRate = endpoint({
  method: "PUT",
  path: "/v1/carriers/{id}/rates",
  summary:
    "Add a rate, or replace the one with the same prefix and date; calls in progress keep theirs. Cheaper calls take your password",
  access: "admin",
  audit: "rate.saved",
  params: IdParams,
  body: RateInput.extend({ currentPassword: CurrentPassword }),
  success: [200, Rate],
  problems: ["not-found", "quota-reached", ...confirmationProblems],
});
export const removeRate = endpoint({
  method: "DELETE",
  path: "/v1/rates/{id}",
  summary: "Remove a rate",
  access: "admin",
  audit: "rate.removed",
  params: IdParams,
  body: z.object({ currentPassword: CurrentPassword }),
  success: [204, null],
  problems: ["not-found", ...confirmationProblems],
});
export const changeMargin = endpoint({
  method: "PUT",
  path: "/v1/carriers/{id}/margin",
  summary: "Change the margin on a carrier’s rates",
  access: "admin",
  audit: "rate.margin-changed",
  params: IdParams,
  body: MarginInput,
  success: [200, z.object({ marginPercent })],
  problems: ["not-found", ...confirmationProblems],
});
export const importRates = endpoint({
  method: "POST",
  path: "/v1/rates/import",
  summary: "Add or replace rates from a CSV, all of them or none",
  access: "admin",
  audit: "rate.imported",
  body: z.object({ carrierId: Id, currentPassword: CurrentPassword }),
  files: { most: 1, largestBytes: largestRatesBytes },
  mayTakeMs: 60_000,
  success: [200, z.object({ imported: z.int() })],
  problems: ["not-found", "file-refused", "quota-reached", ...confirmationProblems],
});
export const exportRates = endpoint({
  method: "GET",
  path: "/v1/carriers/{id}/rates/export",
  summary: "Export a carrier’s rates without the margin, as CSV that can be imported",
  access: "admin",
  audit: "rate.exported",
  params: IdParams,
  success: [200, "file"],
  problems: ["not-found"],
});

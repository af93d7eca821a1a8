import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, Timestamp } from "./identifiers.ts";
import { CountryIso } from "./organisations.ts";
import { CurrentPassword } from "./passwords.ts";

interface Bounds {
  least: readonly [number, string];
  most: readonly [number, string];
}

/** Numbers too large to be exact get the same message as other large numbers. */
const wholeWithin = (otherwise: string, { least, most }: Bounds) =>
  z
    .int({ error: ({ code }) => (code === "too_big" ? most[1] : code === "too_small" ? least[1] : otherwise) })
    .min(...least)
    .max(...most);

const concurrentCalls = wholeWithin("Enter a whole number.", {
  least: [1, "At least one call at a time."],
  most: [1000, "At most 1,000 calls at a time."],
});
const callsPerMinute = wholeWithin("Enter a whole number.", {
  least: [1, "At least one call a minute."],
  most: [1000, "At most 1,000 calls a minute."],
});
const callMinutes = wholeWithin("Enter a whole number.", {
  least: [1, "At least one minute."],
  most: [1440, "At most 1,440 minutes, which is a day."],
});
/** In millionths of a dollar. */
export const centMicros = 10_000;
const dailySpend = wholeWithin("Enter an amount.", {
  least: [0, "Enter an amount of $0 or more."],
  most: [1_000_000_000_000, "At most $1,000,000 a day."],
});
const wholeCents = (amount: typeof dailySpend) =>
  amount.multipleOf(centMicros, "Enter dollars with at most two decimals, such as 12.50.");
/** In millionths of a dollar: prices per minute have up to four decimals. */
export const rateStepMicros = 100;
const ratePerMinute = wholeWithin("Enter an amount.", {
  least: [0, "Enter an amount of $0 or more."],
  most: [100_000_000, "At most $100 a minute."],
});
const wholeRateSteps = ratePerMinute.multipleOf(
  rateStepMicros,
  "Enter dollars with at most four decimals, such as 0.0125.",
);
const allowedCountries = z.array(CountryIso).max(250);
export const BlockedPrefix = z
  .string()
  .trim()
  .transform((typed) => typed.replaceAll(/[\s().-]/g, "").replace(/^00/, "+"))
  .pipe(z.string().regex(/^\+[1-9]\d{0,14}$/, "Enter the start of a number with its country code, such as +44 70."));
const blockedPrefixes = z.array(BlockedPrefix).max(100, "At most 100 prefixes.");

const ofOrganisation = {
  allowedCountries: allowedCountries.describe("ISO 3166-1 alpha-2; no other countries can be called"),
  blockedPrefixes: z.array(z.string()).describe("Numbers that start with one of these, in E.164, can't be called"),
  concurrentCalls: concurrentCalls.describe(
    "Simultaneous outbound calls of the whole organisation; inbound calls don't count",
  ),
  callsPerMinute: callsPerMinute.describe(
    "Outbound calls of the whole organisation within a minute, including transfers",
  ),
  dailySpend: dailySpend.describe(
    "Millionths of a US dollar for calls begun on one day, in the organisation's time zone; 0 allows no calls",
  ),
  ratePerMinute: ratePerMinute
    .nullable()
    .describe(
      "Millionths of a US dollar; a call whose first minute costs more, with the connection fee, is refused. Null: any price",
    ),
  callMinutes: callMinutes.describe("A call, inbound or outbound, ends this long after its answer"),
};

/**
 * One member's limits, in addition to the organisation’s. Each can only be stricter. Null: only the organisation’s
 * applies.
 */
export const MemberLimits = z.object({
  allowedCountries: ofOrganisation.allowedCountries.nullable(),
  blockedPrefixes: ofOrganisation.blockedPrefixes,
  concurrentCalls: concurrentCalls.nullable(),
  callsPerMinute: callsPerMinute.nullable(),
  dailySpend: dailySpend.nullable(),
  ratePerMinute: ratePerMinute.nullable(),
  callMinutes: callMinutes.nullable(),
});
export type MemberLimits = z.infer<typeof MemberLimits>;

/** Of a member to whom only the organisation’s limits apply. */
export const noOwnLimits: MemberLimits = {
  allowedCountries: null,
  blockedPrefixes: [],
  concurrentCalls: null,
  callsPerMinute: null,
  dailySpend: null,
  ratePerMinute: null,
  callMinutes: null,
};

export const Limits = z.object({
  ...ofOrganisation,
  dailySpendIsDefault: z
    .boolean()
    .describe("Nobody has set it: calls without a known price count as 0. Once it is set, they are refused"),
  used: z
    .object({
      concurrentCalls: z.int(),
      callsPerMinute: z.int(),
      dailySpend: z.int(),
      unpricedCalls: z
        .int()
        .describe("Answered outbound calls of this day without a known price; the daily spending counts them as 0"),
    })
    .describe("At this moment, including the minutes that live calls have begun"),
  own: MemberLimits.describe("Your own limits"),
});
export type Limits = z.infer<typeof Limits>;

/** Missing fields stay unchanged. */
export const UpdateLimitsInput = z.object({
  allowedCountries: allowedCountries.optional(),
  blockedPrefixes: blockedPrefixes.optional(),
  concurrentCalls: concurrentCalls.optional(),
  callsPerMinute: callsPerMinute.optional(),
  dailySpend: wholeCents(dailySpend).optional(),
  ratePerMinute: wholeRateSteps.nullable().optional(),
  callMinutes: callMinutes.optional(),
  currentPassword: CurrentPassword,
});
export const UpdateMemberLimitsInput = z.object({
  allowedCountries: allowedCountries.nullable().optional(),
  blockedPrefixes: blockedPrefixes.optional(),
  concurrentCalls: concurrentCalls.nullable().optional(),
  callsPerMinute: callsPerMinute.nullable().optional(),
  dailySpend: wholeCents(dailySpend).nullable().optional(),
  ratePerMinute: wholeRateSteps.nullable().optional(),
  callMinutes: callMinutes.nullable().optional(),
  currentPassword: CurrentPassword,
});

export const LimitName = z.enum([
  "costly-numbers",
  "countries",
  "prefixes",
  "concurrent-calls",
  "calls-per-minute",
  "daily-spend",
  "rate-per-minute",
  "call-length",
]);
export type LimitName = z.infer<typeof LimitName>;

export const LimitBreach = z.object({
  id: Id,
  limit: LimitName,
  isMembers: z.boolean().describe("The member’s own limit, not the organisation’s"),
  userId: Id,
  userName: z.string(),
  phoneNumber: z.string().describe("The number of the last call, E.164; empty if it isn't known"),
  ended: z.boolean().describe("The last call was running, and was ended rather than refused"),
  detail: z.string().describe("The message shown to the member, or why the call was ended"),
  attempts: z.int().describe("On that day"),
  lastAt: Timestamp,
});
export type LimitBreach = z.infer<typeof LimitBreach>;

export const getLimits = endpoint({
  method: "GET",
  path: "/v1/limits",
  summary: "Read your active organisation's limits on calls, and their usage",
  access: "analyst",
  audit: null,
  success: [200, Limits],
  problems: [],
});
export const updateLimits = endpoint({
  method: "PUT",
  path: "/v1/limits",
  summary: "Change these limits; raising or removing one needs your password",
  access: "admin",
  audit: "limits.updated",
  body: UpdateLimitsInput,
  success: [200, Limits],
  problems: ["password-required", "wrong-credentials", "not-allowed", "too-many-attempts"],
});
export const listMemberLimits = endpoint({
  method: "GET",
  path: "/v1/limits/members",
  summary: "List the members with their own limits",
  access: "admin",
  audit: null,
  success: [200, z.array(z.object({ userId: Id, limits: MemberLimits }))],
  problems: [],
});
export const updateMemberLimits = endpoint({
  method: "PUT",
  path: "/v1/limits/members/{userId}",
  summary: "Change a member's own limits, within the organisation's; raising or removing one needs your password",
  access: "admin",
  audit: "limits.member-updated",
  params: z.object({ userId: Id }),
  body: UpdateMemberLimitsInput,
  success: [200, MemberLimits],
  problems: ["not-found", "password-required", "wrong-credentials", "not-allowed", "too-many-attempts"],
});
export const listLimitBreaches = endpoint({
  method: "GET",
  path: "/v1/limits/breaches",
  summary: "List calls refused or ended by limits in the last 30 days, by day, member and limit, the newest 100",
  access: "admin",
  audit: null,
  success: [200, z.array(LimitBreach)],
  problems: [],
});

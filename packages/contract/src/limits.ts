import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { CountryIso } from "./organisations.ts";

interface Bounds {
  least: readonly [number, string];
  most: readonly [number, string];
}

/** A number too large to be counted exactly is too large in the same words. */
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
/** Of money in millionths of a dollar. */
export const centMicros = 10_000;
const dailySpend = wholeWithin("Enter an amount.", {
  least: [0, "Enter an amount of $0 or more."],
  most: [1_000_000_000_000, "At most $1,000,000 a day."],
});
const allowedCountries = z.array(CountryIso).max(250);

export const Limits = z.object({
  allowedCountries: allowedCountries.describe("ISO 3166-1 alpha-2; calls go nowhere else"),
  concurrentCalls: concurrentCalls.describe(
    "Calls that the whole organisation makes at the same time; those that come in do not count",
  ),
  callsPerMinute: callsPerMinute.describe(
    "Calls that the whole organisation makes within a minute, with those that its transfers have others make",
  ),
  dailySpend: dailySpend.describe(
    "Millionths of a US dollar for calls begun on one day, on the organisation's clock; 0 lets no call through",
  ),
  callMinutes: callMinutes.describe("A call, in either direction, ends once it has lasted this long from its answer"),
  used: z
    .object({ concurrentCalls: z.int(), callsPerMinute: z.int(), dailySpend: z.int() })
    .describe("At this moment, with the minutes that live calls have begun"),
});
export type Limits = z.infer<typeof Limits>;

/** What is left out stays as it is. */
export const UpdateLimitsInput = z.object({
  allowedCountries: allowedCountries.optional(),
  concurrentCalls: concurrentCalls.optional(),
  callsPerMinute: callsPerMinute.optional(),
  callMinutes: callMinutes.optional(),
  dailySpend: dailySpend.multipleOf(centMicros, "Enter dollars with at most two decimals, such as 12.50.").optional(),
});

export const getLimits = endpoint({
  method: "GET",
  path: "/v1/limits",
  summary: "Read what your active organisation's calls may reach and use up",
  access: "member",
  audit: null,
  success: [200, Limits],
  problems: [],
});
export const updateLimits = endpoint({
  method: "PUT",
  path: "/v1/limits",
  summary: "Change these limits",
  access: "admin",
  audit: "limits.updated",
  body: UpdateLimitsInput,
  success: [200, Limits],
  problems: [],
});

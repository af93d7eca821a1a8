import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { GivenDay, Id, Timestamp } from "./identifiers.ts";
import { TimeZone } from "./organisations.ts";

const CalendarDay = GivenDay("Enter a day as YYYY-MM-DD.");
export const longestPeriodDays = 366;

const OutcomeCount = z.object({ outcomeId: Id.nullable(), name: z.string(), calls: z.int() });
const HourFigures = z.object({ hour: z.int().min(0).max(23), calls: z.int(), answered: z.int() });
const DayFigures = z.object({ date: CalendarDay, calls: z.int(), answered: z.int(), costMicros: z.int() });

export const PeriodFigures = z.object({
  startsAt: Timestamp,
  endsAt: Timestamp.describe("Exclusive"),
  calls: z.int(),
  ended: z.int(),
  answered: z.int(),
  connectRate: z
    .number()
    .nullable()
    .describe("The share of outbound calls that were answered, 0 to 1; null if none has ended"),
  talkMs: z.int().describe("The sum of the calls' durations, each in whole seconds"),
  averageTalkMs: z.int().nullable().describe("For ended, answered calls"),
  averageSetupMs: z.int().nullable().describe("From the request to the answer, for answered outbound calls"),
  costMicros: z.int().describe("Millionths of a US dollar"),
  unpricedCalls: z.int().describe("Ended calls whose cost isn’t known, as no rate was; costMicros counts them as 0"),
  outcomes: z
    .array(OutcomeCount)
    .describe("For ended calls, most frequent first; outcomeId is null if none was chosen"),
  hours: z.array(HourFigures).length(24).describe("By the hour in which the call started"),
  days: z.array(DayFigures),
});
export type PeriodFigures = z.infer<typeof PeriodFigures>;

export const MemberFigures = z.object({
  userId: Id,
  name: z.string(),
  calls: z.int(),
  answered: z.int(),
  talkMs: z.int().describe("The sum of the calls' durations, each in whole seconds"),
});

export const Statistics = z.object({
  timeZone: z.string(),
  period: PeriodFigures,
  before: PeriodFigures.describe("As many days before; for a running period, up to the same time on its last day"),
  members: z.array(MemberFigures).describe("Everyone in the organisation, and former members who called in the period"),
});
export type Statistics = z.infer<typeof Statistics>;

export const readStatistics = endpoint({
  method: "GET",
  path: "/v1/statistics",
  summary: "Read the figures of the organisation's calls in a period, and in the one before",
  access: "analyst",
  audit: null,
  query: z
    .object({
      from: CalendarDay.describe("The first day"),
      to: CalendarDay.describe("The last day"),
      userId: Id.optional().describe("One person's calls. Default: everyone's"),
      timeZone: TimeZone.optional().describe("The time zone of the days. Default: the organisation's"),
    })
    .refine(({ from, to }) => from <= to, { path: ["to"], message: "The last day is before the first." })
    .refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 < longestPeriodDays, {
      path: ["to"],
      message: `Ask for ${longestPeriodDays} days at most.`,
    }),
  success: [200, Statistics],
  problems: [],
});

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
    .describe("Answered of ended calls that were placed, 0 to 1; null where none has ended"),
  talkMs: z.int().describe("Of each call its whole seconds, summed"),
  averageTalkMs: z.int().nullable().describe("Of answered calls that have ended"),
  averageSetupMs: z.int().nullable().describe("From the request to the answer, of answered calls that were placed"),
  costMicros: z.int().describe("Millionths of a US dollar"),
  outcomes: z.array(OutcomeCount).describe("Of ended calls, most frequent first; outcomeId null where none was chosen"),
  hours: z.array(HourFigures).length(24).describe("By the hour of the day at which the call was started"),
  days: z.array(DayFigures),
});
export type PeriodFigures = z.infer<typeof PeriodFigures>;

export const MemberFigures = z.object({
  userId: Id,
  name: z.string(),
  calls: z.int(),
  answered: z.int(),
  talkMs: z.int().describe("Of each call its whole seconds, summed"),
});

export const Statistics = z.object({
  timeZone: z.string(),
  period: PeriodFigures,
  before: PeriodFigures.describe("As many days before; while the period runs, up to the same time of its last day"),
  members: z.array(MemberFigures).describe("Everybody in the organisation, and who has left but called in the period"),
});
export type Statistics = z.infer<typeof Statistics>;

export const readStatistics = endpoint({
  method: "GET",
  path: "/v1/statistics",
  summary: "Figures of the organisation's calls in a period, beside the period before",
  access: "analyst",
  audit: null,
  query: z
    .object({
      from: CalendarDay.describe("The first day"),
      to: CalendarDay.describe("The last day"),
      userId: Id.optional().describe("One person's calls; everybody's without it"),
      timeZone: TimeZone.optional().describe("Whose days these are; the organisation's without it"),
    })
    .refine(({ from, to }) => from <= to, { path: ["to"], message: "The last day is before the first." })
    .refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 < longestPeriodDays, {
      path: ["to"],
      message: `Ask for ${longestPeriodDays} days at most.`,
    }),
  success: [200, Statistics],
  problems: [],
});

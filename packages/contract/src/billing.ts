import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, Timestamp } from "./identifiers.ts";

const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, "Write a month as 2026-01.");
const micros = z.int().describe("Millionths of a US dollar");

const StatementDay = z.object({
  date: z.iso.date(),
  calls: z.int(),
  answered: z.int(),
  talkMs: z.int().describe("Of each call its whole seconds, summed"),
  costMicros: micros,
});
export type StatementDay = z.infer<typeof StatementDay>;

const StatementNumber = z.object({
  id: Id,
  number: z.string().describe("E.164"),
  acquiredAt: Timestamp,
  releasedAt: Timestamp.nullable(),
  monthlyCostMicros: micros.describe("What the carrier asks a month; not taken from the balance"),
});
export type StatementNumber = z.infer<typeof StatementNumber>;

export const Statement = z.object({
  month: Month,
  timeZone: z.string().describe("Whose days these are"),
  balanceMicros: micros.describe("At this moment"),
  days: z.array(StatementDay).describe("Newest first; a day without calls is left out"),
  numbers: z.array(StatementNumber).describe("Held at any time of the month"),
});
export type Statement = z.infer<typeof Statement>;

const query = z.object({ month: Month.optional().describe("This month, where it is left out") });

export const readStatement = endpoint({
  method: "GET",
  path: "/v1/billing/statement",
  summary: "A month's calls by day and the numbers held in it",
  access: "member",
  audit: null,
  query,
  success: [200, Statement],
  problems: [],
});
export const exportStatement = endpoint({
  method: "GET",
  path: "/v1/billing/statement/export",
  summary: "A month's calls, one a line, as CSV; cells that a spreadsheet would run are escaped",
  access: "member",
  audit: "billing.statement-exported",
  query,
  success: [200, "file"],
  problems: [],
});

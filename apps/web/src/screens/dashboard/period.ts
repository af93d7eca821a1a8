import { addDays } from "../../components/format-time.ts";

export const periods = [
  { name: "today", label: "Today", days: 1, before: "yesterday" },
  { name: "7-days", label: "7 days", days: 7, before: "the 7 days before" },
  { name: "30-days", label: "30 days", days: 30, before: "the 30 days before" },
] as const;
export type Period = (typeof periods)[number];

/** The part of the dashboard's state in its address, so that it can be shared and survives a reload. */
export interface DashboardSearch {
  period?: Period["name"];
  member?: string;
}

/** RFC 9562, section 4, as the server validates it. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function readDashboardSearch(search: Record<string, unknown>): DashboardSearch {
  const period = periods.find(({ name }) => name === search["period"])?.name;
  const member = typeof search["member"] === "string" ? search["member"] : "";
  return {
    ...(period && { period }),
    ...(uuid.test(member) && { member }),
  };
}

/** The first and last day of a period that ends today. */
export const daysOf = (period: Period, today: string) => ({ from: addDays(today, 1 - period.days), to: today });

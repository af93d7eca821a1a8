import { addDays } from "./format-time.ts";

const short = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

/** A day to call back as people say it: Today, Tomorrow, 3 days late, Mon, Mar 30. Both are calendar days. */
export function dueWords(day: string, today: string): string {
  if (day === today) return "Today";
  if (day === addDays(today, 1)) return "Tomorrow";
  if (day > today) return short.format(new Date(day));
  const late = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
  return late === 1 ? "1 day late" : `${late} days late`;
}

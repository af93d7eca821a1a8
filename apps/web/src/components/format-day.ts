const withWeekday = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const withYear = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** The reader's own day, as YYYY-MM-DD. */
export function today(now: Date): string {
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Today, Tomorrow, Yesterday, Tue 1 Dec, 1 Dec 2027. */
export function formatDay(day: string, now: Date): string {
  const date = new Date(`${day}T00:00:00Z`);
  const daysAhead = Math.round((date.getTime() - new Date(`${today(now)}T00:00:00Z`).getTime()) / 86_400_000);
  // No calendar day: better as it stands than a screen that breaks.
  if (Number.isNaN(daysAhead)) return day;
  if (daysAhead === 0) return "Today";
  if (daysAhead === 1) return "Tomorrow";
  if (daysAhead === -1) return "Yesterday";
  return (date.getUTCFullYear() === now.getFullYear() ? withWeekday : withYear).format(date);
}

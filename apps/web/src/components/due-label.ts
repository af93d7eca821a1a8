/** With the year if it isn't the current one. */
function dayFormat(options: Intl.DateTimeFormatOptions): (day: string, today: string) => string {
  const ofThisYear = new Intl.DateTimeFormat(undefined, { ...options, timeZone: "UTC" });
  const ofOtherYear = new Intl.DateTimeFormat(undefined, { ...options, year: "numeric", timeZone: "UTC" });
  return (day, today) => (day.slice(0, 4) === today.slice(0, 4) ? ofThisYear : ofOtherYear).format(new Date(day));
}

/** Mar 30, Mar 30, 2027. Both are calendar days. */
export const dateLabel = dayFormat({ day: "numeric", month: "short" });
const dateWithWeekday = dayFormat({ weekday: "short", day: "numeric", month: "short" });

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** A callback day in words: Today, Tomorrow, 3 days late, Mon, Mar 30. Both are calendar days. */
export function dueLabel(day: string, today: string): string {
  const daysAhead = Math.round((startOf(day) - startOf(today)) / 86_400_000);
  // An invalid day: showing it as it is beats a broken screen.
  if (Number.isNaN(daysAhead)) return day;
  if (daysAhead === 0) return "Today";
  if (daysAhead === 1) return "Tomorrow";
  if (daysAhead > 1) return dateWithWeekday(day, today);
  return daysAhead === -1 ? "1 day late" : `${-daysAhead} days late`;
}

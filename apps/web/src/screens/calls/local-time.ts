const hours = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const days = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const years = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/** On this computer's clock: 10:02 today, with the day before, with the year where it is another. */
export function localTime(timestamp: string, now: Date = new Date()): string {
  const moment = new Date(timestamp);
  if (moment.toDateString() === now.toDateString()) return hours.format(moment);
  const sameYear = moment.getFullYear() === now.getFullYear();
  return sameYear ? `${days.format(moment)}, ${hours.format(moment)}` : years.format(moment);
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** 2:41, or 1:02:41 from an hour on. Sums have seconds too, so that rows add up to their total. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${twoDigits(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** The calendar day of a moment in a time zone: 2026-03-29. */
export const dayIn = (timeZone: string, moment: Date): string => formatsIn(timeZone).isoDay.format(moment);

/** Whether clocks in a time zone show another time than the reader's at that moment. */
export function isOtherClock(timeZone: string, moment: Date): boolean {
  const shows = (zone?: string) =>
    new Intl.DateTimeFormat("en-GB", { dateStyle: "short", timeStyle: "short", ...(zone && { timeZone: zone }) });
  return shows(timeZone).format(moment) !== shows().format(moment);
}

/** The calendar day this many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

export const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const dayOfOtherYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

function writtenIn(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, { ...options, timeZone });
  return {
    isoDay: new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }),
    isoTime: new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }),
    clock: format({ timeStyle: "short" }),
    day: format({ day: "numeric", month: "short" }),
    dayOfOtherYear: format({ day: "numeric", month: "short", year: "numeric" }),
    full: format({ dateStyle: "full", timeStyle: timeZone === ownTimeZone ? "medium" : "long" }),
  };
}
const formats = new Map<string, ReturnType<typeof writtenIn>>();
/** Cached, since creating one is too slow to do per row. */
function formatsIn(timeZone: string): ReturnType<typeof writtenIn> {
  const known = formats.get(timeZone) ?? writtenIn(timeZone);
  formats.set(timeZone, known);
  return known;
}

/** 10:02, Yesterday 10:02, 19 Nov 10:02: in the reader's time zone, or the given one. */
export function formatWhen(timestamp: string, now: Date, timeZone = ownTimeZone): string {
  const date = new Date(timestamp);
  const written = formatsIn(timeZone);
  const [then, today] = [dayIn(timeZone, date), dayIn(timeZone, now)];
  if (then === today) return written.clock.format(date);
  if (then === addDays(today, -1)) return `Yesterday ${written.clock.format(date)}`;
  const day = then.slice(0, 4) === today.slice(0, 4) ? written.day : written.dayOfOtherYear;
  return `${day.format(date)} ${written.clock.format(date)}`;
}

/** With the time zone's name, if it isn't the reader's. */
export const formatFullTime = (timestamp: string, timeZone = ownTimeZone): string =>
  formatsIn(timeZone).full.format(new Date(timestamp));

const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: "short", timeZone: "UTC" });
/** 14:30 in the reader's format: 14:30, or 2:30 PM. */
export const formatTimeOfDay = (time: string): string => timeOfDay.format(new Date(`2026-01-01T${time}Z`));

/** The time of a moment in a time zone: 14:30. */
export const timeIn = (timeZone: string, moment: Date): string => formatsIn(timeZone).isoTime.format(moment);

const hourOfDay = (options: Intl.DateTimeFormatOptions) => {
  const written = new Intl.DateTimeFormat(undefined, { ...options, timeZone: "UTC" });
  return (hour: number): string => written.format(Date.UTC(2026, 0, 1, hour));
};
/** A full hour, 0 to 23, in the reader's format: 14:00, or 2:00 PM. */
export const formatHour = hourOfDay({ timeStyle: "short" });
/** 14, or 2 PM. */
export const formatShortHour = hourOfDay({ hour: "numeric" });

/** 19 Nov 2025, in the reader's time zone. */
export const formatDate = (timestamp: string): string => dayOfOtherYear.format(new Date(timestamp));

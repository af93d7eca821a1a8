const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** 2:41, or 1:02:41 from an hour on: seconds in a sum too, so that rows add up to their total. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${twoDigits(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** The calendar day of a moment on the clock of a time zone: 2026-03-29. */
export const dayIn = (timeZone: string, moment: Date): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(moment);

/** Whether clocks of a time zone show another time than the reader's own, at a moment. */
export function isOtherClock(timeZone: string, moment: Date): boolean {
  const shows = (zone?: string) =>
    new Intl.DateTimeFormat("en-GB", { dateStyle: "short", timeStyle: "short", ...(zone && { timeZone: zone }) });
  return shows(timeZone).format(moment) !== shows().format(moment);
}

/** A calendar day, so many days on. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dayOfOtherYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

const startOfDay = (date: Date): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate());

/** 10:02, Yesterday 10:02, 19 Nov 10:02: on the reader's clock. */
export function formatWhen(timestamp: string, now: Date): string {
  const date = new Date(timestamp);
  const daysAgo = Math.round((startOfDay(now).getTime() - startOfDay(date).getTime()) / 86_400_000);
  if (daysAgo === 0) return clock.format(date);
  if (daysAgo === 1) return `Yesterday ${clock.format(date)}`;
  return `${(date.getFullYear() === now.getFullYear() ? day : dayOfOtherYear).format(date)} ${clock.format(date)}`;
}

export const formatFullTime = (timestamp: string): string => full.format(new Date(timestamp));

/** 19 Nov 2025, on the reader's clock. */
export const formatDate = (timestamp: string): string => dayOfOtherYear.format(new Date(timestamp));

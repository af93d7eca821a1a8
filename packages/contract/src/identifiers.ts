import { z } from "zod";

export const Id = z.uuid();
export const Timestamp = z.iso.datetime({ offset: true }).describe("RFC 3339, UTC");

/** Databases and calendars differ on the year 0 and on what follows 9999. */
const isOfOurTimes = (text: string): boolean => text >= "1900" && text < "2200";
export const firstGivenDay = "1900-01-01";
export const lastGivenDay = "2199-12-31";
export const outOfOurTimes = "Enter a day between the years 1900 and 2199.";
/** A year of five digits is no day by the standard, but browsers let one be typed. */
const isDayOfLongYear = (input: unknown): boolean => typeof input === "string" && /^[+-]?\d{5,}-\d\d-\d\d$/.test(input);
/** A day as somebody gives it: 2026-03-29. */
export const GivenDay = (message: string) =>
  z.iso
    .date({
      error: ({ input }) => (isDayOfLongYear(input) ? outOfOurTimes : message),
      abort: true,
    })
    .refine(isOfOurTimes, outOfOurTimes);
export const isGivenDay = (text: string): boolean => GivenDay(outOfOurTimes).safeParse(text).success;
export const GivenTimestamp = Timestamp.refine(isOfOurTimes, "Enter a time between the years 1900 and 2200.");
/** On a clock of 24 hours. */
export const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time as 09:00.");
/** Twilio's shape of a call identifier: CA and 32 hexadecimal digits. */
export const CallSid = z.string().regex(/^CA[0-9a-f]{32}$/, "A call identifier is CA and 32 hexadecimal digits.");
export const IdParams = z.object({ id: Id });

const keyLength = "Send an Idempotency-Key of 8 to 100 characters.";
/** Names one request of its caller's, so that sending it twice does its work once. */
export const IdempotencyKey = z.string().min(8, keyLength).max(100, keyLength);

/** Of a day to call back: one that was just taken away may be over by now. */
export const PutBack = z.literal(true).optional().describe("Undoes that the day was taken away: it may be over");

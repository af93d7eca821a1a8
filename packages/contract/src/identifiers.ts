import { z } from "zod";

export const Id = z.uuid();
export const Timestamp = z.iso.datetime({ offset: true }).describe("RFC 3339, UTC");

/** Databases and calendars disagree about the year 0 and years after 9999. */
const isOfOurTimes = (text: string): boolean => text >= "1900" && text < "2200";
export const firstGivenDay = "1900-01-01";
export const lastGivenDay = "2199-12-31";
export const outOfOurTimes = "Enter a day between the years 1900 and 2199.";
/** ISO 8601 has no five-digit years, but browsers let people type them. */
const isDayOfLongYear = (input: unknown): boolean => typeof input === "string" && /^[+-]?\d{5,}-\d\d-\d\d$/.test(input);
/** A day from user input: 2026-03-29. */
export const GivenDay = (message: string) =>
  z.iso
    .date({
      error: ({ input }) => (isDayOfLongYear(input) ? outOfOurTimes : message),
      abort: true,
    })
    .refine(isOfOurTimes, outOfOurTimes);
export const isGivenDay = (text: string): boolean => GivenDay(outOfOurTimes).safeParse(text).success;
export const GivenTimestamp = Timestamp.refine(isOfOurTimes, "Enter a time between the years 1900 and 2200.");
/** 24-hour clock. */
export const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time as 09:00.");
/** Twilio's format of a call identifier: CA and 32 hexadecimal digits. */
export const CallSid = z.string().regex(/^CA[0-9a-f]{32}$/, "A call identifier is CA and 32 hexadecimal digits.");
export const IdParams = z.object({ id: Id });

const keyLength = "Send an Idempotency-Key of 8 to 100 characters.";
/** Identifies a request of its caller, so that sending it twice has one effect. */
export const IdempotencyKey = z.string().min(8, keyLength).max(100, keyLength);

/** For restoring a callback that was just removed: its day may be in the past by now. */
export const PutBack = z
  .literal(true)
  .optional()
  .describe("Restores a day that was just removed, even if it is in the past");

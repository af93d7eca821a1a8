import { z } from "zod";

export const Id = z.uuid();
export const Timestamp = z.iso.datetime({ offset: true }).describe("RFC 3339, UTC");

/** Databases and calendars differ on the year 0 and on what follows 9999. */
const isOfOurTimes = (text: string): boolean => text >= "1900" && text < "2200";
/** A day as somebody gives it: 2026-03-29. */
export const GivenDay = (message: string) => z.iso.date({ error: message, abort: true }).refine(isOfOurTimes, message);
export const GivenTimestamp = Timestamp.refine(isOfOurTimes, "Give a time between the years 1900 and 2200.");
/** Twilio's shape of a call identifier: CA and 32 hexadecimal digits. */
export const CallSid = z.string().regex(/^CA[0-9a-f]{32}$/, "A call identifier is CA and 32 hexadecimal digits.");
export const IdParams = z.object({ id: Id });

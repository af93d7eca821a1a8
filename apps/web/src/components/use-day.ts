import { dayIn } from "./format-time.ts";
import { useNow } from "./use-now.ts";

/** Whose calendar days are meant. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Today's calendar day, also on a page left open overnight. */
export const useToday = (): string => dayIn(timeZone, useNow());

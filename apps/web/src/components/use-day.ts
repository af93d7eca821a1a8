import { dayIn, ownTimeZone } from "./format-time.ts";
import { usePageOrganisation } from "./use-page-organisation.ts";
import { useNow } from "./use-now.ts";

/** Whose calendar days are meant: those of the organisation that the page is about. */
export const useTimeZone = (): string => usePageOrganisation()?.timeZone ?? ownTimeZone;

/** Today's calendar day, also on a page left open overnight. */
export const useToday = (): string => dayIn(useTimeZone(), useNow());

import { dayIn, ownTimeZone, timeIn } from "./format-time.ts";
import { usePageOrganisation } from "./use-page-organisation.ts";
import { useNow } from "./use-now.ts";

/** The time zone for calendar days: that of the organisation that the page is about. */
export const useTimeZone = (): string => usePageOrganisation()?.timeZone ?? ownTimeZone;

/** Today's calendar day, even on a page left open overnight. */
export const useToday = (): string => dayIn(useTimeZone(), useNow());

/** Day and time on the organisation's clock. */
export function useClock(): { today: string; time: string } {
  const timeZone = useTimeZone();
  const now = useNow();
  return { today: dayIn(timeZone, now), time: timeIn(timeZone, now) };
}

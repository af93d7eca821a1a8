import { formatFullTime, formatWhen, isOtherClock } from "./format-time.ts";
import { useTimeZone } from "./use-day.ts";
import { useNow } from "./use-now.ts";

/** Formats times in the organisation's time zone, which its days, figures and callbacks use. */
export function useTimes() {
  const timeZone = useTimeZone();
  const now = useNow();
  return {
    when: (timestamp: string): string => formatWhen(timestamp, now, timeZone),
    full: (timestamp: string): string => formatFullTime(timestamp, timeZone),
    /** Its name, if it isn't the reader's. */
    otherClock: isOtherClock(timeZone, now) ? timeZone.replaceAll("_", " ") : null,
  };
}

import { formatFullTime, formatWhen, isOtherClock } from "./format-time.ts";
import { useTimeZone } from "./use-day.ts";
import { useNow } from "./use-now.ts";

/** When something of the organisation's was, on its clock: the one that its days, figures and calls to make go by. */
export function useTimes() {
  const timeZone = useTimeZone();
  const now = useNow();
  return {
    when: (timestamp: string): string => formatWhen(timestamp, now, timeZone),
    full: (timestamp: string): string => formatFullTime(timestamp, timeZone),
    /** In words, where that is another than the reader's. */
    otherClock: isOtherClock(timeZone, now) ? timeZone.replaceAll("_", " ") : null,
  };
}

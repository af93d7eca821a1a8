import type { OpeningHours } from "./organisations.ts";

interface Hours {
  openingHours: OpeningHours;
  /** IANA name. */
  timeZone: string;
}

/** Whether the organisation is open, in its own time zone. Without any opening hours it is always open. */
export function isOpenAt({ openingHours, timeZone }: Hours, moment: Date): boolean {
  if (openingHours.length === 0) return true;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const weekday = part["weekday"]?.toLowerCase();
  const today = openingHours.find(({ day }) => day === weekday);
  const time = `${part["hour"]}:${part["minute"]}`;
  return today !== undefined && today.opensAt <= time && time < today.closesAt;
}

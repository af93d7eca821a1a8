import { isOpenAt } from "@leadline/contract/opening-hours";
import type { OpeningHours } from "@leadline/contract/organisations";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { timeZonesOfNumber } from "./time-zones-of-number.ts";

/**
 * Null if the number may be called now, otherwise a sentence with the local time there. A number that may be in several
 * time zones may be called only if it is within the hours in all of them. Freephone numbers have no place.
 */
export function outsideCallingHours(hours: OpeningHours, phoneNumber: string, moment: Date): string | null {
  if (hours.length === 0 || parsePhoneNumberFromString(phoneNumber)?.getType() === "TOLL_FREE") return null;
  const zones = timeZonesOfNumber(phoneNumber);
  const outside = zones.find((timeZone) => !isOpenAt({ openingHours: hours, timeZone }, moment));
  if (outside === undefined) return null;
  const format = { timeZone: outside, weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const parts = new Intl.DateTimeFormat("en-GB", format).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  const time = `${part("hour")}:${part("minute")} on ${part("weekday")}`;
  const place = outside.split("/").at(-1)?.replaceAll("_", " ");
  return zones.length === 1
    ? `It’s ${time} where this number is (${place}), outside your calling hours.`
    : `This number may be in ${place}, where it’s ${time}, outside your calling hours.`;
}

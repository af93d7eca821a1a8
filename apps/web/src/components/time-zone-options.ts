import type { ComboboxOption } from "../ui/combobox.tsx";

const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

/** Europe/Berlin (UTC+2): with today's offset. */
export const timeZoneOptions = (now: Date): readonly ComboboxOption[] =>
  zones.map((zone) => ({ value: zone, label: `${zone.replaceAll("_", " ")}${differenceIn(zone, now)}` }));

function differenceIn(timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" }).formatToParts(now);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value.replace("GMT", "UTC") ?? "";
  return timeZone === "UTC" ? "" : ` (${name})`;
}

import { readFileSync } from "node:fs";

let zonesByPrefix: ReadonlyMap<string, readonly string[]> | undefined;

/** IANA names of the possible time zones of an E.164 number: several if its prefix spans zones, none if unknown. */
export function timeZonesOfNumber(phoneNumber: string): readonly string[] {
  zonesByPrefix ??= readZones();
  for (let prefix = phoneNumber.replace(/^\+/, ""); prefix !== ""; prefix = prefix.slice(0, -1)) {
    const zones = zonesByPrefix.get(prefix);
    if (zones !== undefined) return zones;
  }
  return [];
}

/** Runs once and takes a few milliseconds. */
function readZones(): Map<string, readonly string[]> {
  const text = readFileSync(new URL("time-zones-by-prefix.txt", import.meta.url), "utf8");
  return new Map(
    text
      .split("\n")
      .filter((line) => /^\d/.test(line))
      .map((line) => {
        const [prefix = "", zones = ""] = line.split("|");
        return [prefix, zones.split("&")];
      }),
  );
}

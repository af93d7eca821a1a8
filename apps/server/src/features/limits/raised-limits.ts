import type { MemberLimits } from "@leadline/contract/limits";
import { inDollars } from "../../in-dollars.ts";
import type { LimitsChange } from "./limits.table.ts";

/** A sentence for each limit that the change raises or removes. Null limits nothing. */
export function raisedLimits(before: MemberLimits, change: LimitsChange): string[] {
  const { allowedCountries, blockedPrefixes, ...numbers } = { ...before, ...withoutUndefined(change) };
  // A shorter prefix covers the longer ones.
  const unblocked = before.blockedPrefixes.filter(
    (blocked) => !blockedPrefixes.some((prefix) => blocked.startsWith(prefix)),
  );
  const raised = numberLimits.filter((name) => (numbers[name] ?? Infinity) > (before[name] ?? Infinity));
  return [
    ...(addsCountry(before.allowedCountries, allowedCountries)
      ? [`Countries that can be called: ${inWords(before.allowedCountries)}, now ${inWords(allowedCountries)}.`]
      : []),
    ...(unblocked.length > 0 ? [`Prefixes that are no longer blocked: ${unblocked.join(", ")}.`] : []),
    ...raised.map((name) => `${labels[name]}: ${shown(name, before[name])}, now ${shown(name, numbers[name])}.`),
  ];
}

const labels: Record<(typeof numberLimits)[number], string> = {
  concurrentCalls: "Calls at a time",
  callsPerMinute: "Calls per minute",
  dailySpend: "Spending per day",
  ratePerMinute: "Highest price per minute",
  callMinutes: "Minutes per call",
};

const shown = (name: keyof typeof labels, limit: number | null): string =>
  limit === null
    ? "no limit"
    : name === "dailySpend" || name === "ratePerMinute"
      ? inDollars(limit)
      : limit.toLocaleString("en-US");

const inWords = (countries: string[] | null): string =>
  countries === null ? "all" : countries.length === 0 ? "none" : countries.join(", ");

const numberLimits = ["concurrentCalls", "callsPerMinute", "dailySpend", "ratePerMinute", "callMinutes"] as const;

const addsCountry = (before: string[] | null, after: string[] | null): boolean =>
  before !== null && (after === null || after.some((country) => !before.includes(country)));

/** The limits that the change would set higher for a member than the organisation has. */
export function widerThan(organisation: MemberLimits, change: LimitsChange): (keyof MemberLimits)[] {
  const wider: (keyof MemberLimits)[] = numberLimits.filter(
    (name) => typeof change[name] === "number" && change[name] > (organisation[name] ?? Infinity),
  );
  return change.allowedCountries && addsCountry(organisation.allowedCountries, change.allowedCountries)
    ? ["allowedCountries", ...wider]
    : wider;
}

const withoutUndefined = (change: LimitsChange): Partial<MemberLimits> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

import type { MemberLimits } from "@leadline/contract/limits";
import type { LimitsChange } from "./limits.table.ts";

/** Whether the change raises or removes a limit. Null limits nothing. */
export function loosens(before: MemberLimits, change: LimitsChange): boolean {
  const { allowedCountries, blockedPrefixes, ...numbers } = { ...before, ...withoutUndefined(change) };
  return (
    addsCountry(before.allowedCountries, allowedCountries) ||
    // A shorter prefix covers the longer ones.
    before.blockedPrefixes.some((blocked) => !blockedPrefixes.some((prefix) => blocked.startsWith(prefix))) ||
    numberLimits.some((name) => (numbers[name] ?? Infinity) > (before[name] ?? Infinity))
  );
}

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

import { countryName } from "@leadline/contract/countries";
import type { MemberLimits } from "@leadline/contract/limits";
import { formatCost, formatExactCost } from "../../components/format-money.ts";

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** "2 simultaneous calls, $5.00 a day"; empty without limits. */
export function describeMemberLimits(limits: MemberLimits): string {
  const { allowedCountries, blockedPrefixes, concurrentCalls, callsPerMinute, dailySpend } = limits;
  const { ratePerMinute, callMinutes } = limits;
  const countries = allowedCountries?.map(countryName).join(", ");
  return [
    countries === undefined ? null : countries === "" ? "no calls" : `only ${countries}`,
    blockedPrefixes.length === 0 ? null : `not ${blockedPrefixes.join(", ")}`,
    concurrentCalls && counted(concurrentCalls, "simultaneous call", "simultaneous calls"),
    callsPerMinute && `${counted(callsPerMinute, "call", "calls")} a minute`,
    dailySpend === null ? null : `${formatCost(dailySpend)} a day`,
    ratePerMinute === null ? null : `at most ${formatExactCost(ratePerMinute)} a minute`,
    callMinutes && `${counted(callMinutes, "minute", "minutes")} a call`,
  ]
    .filter((part) => part)
    .join(", ");
}

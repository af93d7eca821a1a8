import { countryName } from "@leadline/contract/countries";
import type { Limits } from "@leadline/contract/limits";
import type { ReactNode } from "react";
import { formatCost, formatExactCost } from "../../components/format-money.ts";

/** The limits for someone who can't change them. */
export function LimitsList({ limits }: { limits: Limits }) {
  const { allowedCountries, blockedPrefixes, concurrentCalls, callsPerMinute, ratePerMinute, callMinutes, used } =
    limits;
  return (
    <section aria-label="Your organisation’s limits" className="flex max-w-[640px] flex-col gap-3">
      <dl className="rounded-md border border-line bg-panel">
        <Limit name="Allowed countries">
          {allowedCountries.length > 0
            ? allowedCountries.map(countryName).join(", ")
            : "None. All outbound calls are refused."}
        </Limit>
        <Limit name="Blocked prefixes">{blockedPrefixes.length > 0 ? blockedPrefixes.join(", ") : "None"}</Limit>
        <Limit name="Simultaneous calls" used={`${used.concurrentCalls} now, across all members`}>
          {concurrentCalls.toLocaleString("en")}
        </Limit>
        <Limit name="Calls per minute" used={`${used.callsPerMinute} in the last minute`}>
          {callsPerMinute.toLocaleString("en")}
        </Limit>
        <Limit name="Spending per day" used={`${formatCost(used.dailySpend)} today`}>
          {formatCost(limits.dailySpend)}
        </Limit>
        <Limit name="Highest price per minute">
          {ratePerMinute === null ? "Any price" : formatExactCost(ratePerMinute)}
        </Limit>
        <Limit name="Maximum call length">
          {callMinutes === 1 ? "1 minute" : `${callMinutes.toLocaleString("en")} minutes`}
        </Limit>
      </dl>
      <p className="text-table text-ink-soft">Only an admin or owner can change these limits.</p>
    </section>
  );
}

function Limit({ name, used, children }: { name: string; used?: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 border-b border-line px-4 py-2.5 text-sm last:border-b-0 sm:grid-cols-[200px_1fr]">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="tabular-nums">
        {children}
        {used === undefined ? null : <span className="text-ink-soft"> · {used}</span>}
      </dd>
    </div>
  );
}

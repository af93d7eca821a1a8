import type { Statement } from "@leadline/contract/billing";
import { useQuery } from "@tanstack/react-query";
import { otherCurrenciesLabel, unpricedLabel, unpricedNumbersLabel } from "../../components/cost-label.ts";
import { alignCosts, formatMicros } from "../../components/format-money.ts";
import { formatDuration } from "../../components/format-time.ts";
import { billingSummaryQuery } from "../../data/billing-query.ts";
import { monthName } from "./months.ts";

export function StatementFigures({ statement }: { statement: Statement }) {
  const summary = useQuery(billingSummaryQuery).data;
  const sum = (of: (day: Statement["days"][number]) => number) =>
    statement.days.reduce((total, day) => total + of(day), 0);
  const formatCost = alignCosts(statement.days.map((day) => day.costMicros));
  const uncounted = statement.otherCurrencies.map(({ currency, uncountedMicros: micros }) => ({ currency, micros }));
  const foreign = otherCurrenciesLabel(uncounted);
  const left = unpricedLabel(sum((day) => day.unpricedCalls));
  const month = monthName(statement.month);
  const isThisMonth = summary?.month === statement.month;
  const leftNumbers = isThisMonth ? unpricedNumbersLabel(statement.numbers) : null;
  return (
    <dl className="grid gap-px overflow-hidden rounded-md border border-line bg-line grid-cols-2 md:grid-cols-4">
      {summary?.mode === "prepaid" ? (
        <Figure name="Balance" value={formatMicros(summary.balanceMicros)} note="at this moment" />
      ) : (
        <Figure
          name="Spent"
          value={summary ? formatMicros(summary.monthCostMicros) : "…"}
          note={noting("this month so far", leftNumbers, isThisMonth ? foreign : null)}
        />
      )}
      <Figure
        name="Calls cost"
        value={formatCost(sum((day) => day.costMicros))}
        note={noting(`in ${month}`, left, foreign)}
      />
      <Figure name="Calls" value={sum((day) => day.calls).toLocaleString()} note={`in ${month}`} />
      <Figure name="Talk time" value={formatDuration(sum((day) => day.talkMs))} note={`in ${month}`} />
    </dl>
  );
}

/** Followed by the sentences that say what a figure leaves out. */
function noting(period: string, ...left: readonly (string | null)[]): string {
  const said = left.filter((sentence) => sentence !== null).join(" ");
  return said === "" ? period : `${period}. ${said}`;
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div className="bg-panel px-4 py-3">
      <dt className="text-table text-ink-soft">{name}</dt>
      <dd className="mt-0.5">
        <span className="block text-title font-semibold tabular-nums">{value}</span>
        <span className="text-xs text-ink-soft">{note}</span>
      </dd>
    </div>
  );
}

import type { Statistics } from "@leadline/contract/statistics";
import { unpricedLabel } from "../../components/cost-label.ts";
import { formatCost } from "../../components/format-money.ts";
import { BarsChart, ChartCard } from "./chart-card.tsx";
import type { Period } from "./period.ts";

const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const long = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeZone: "UTC" });

export function CostByDay({ statistics, period }: { statistics: Statistics; period: Period }) {
  const { days, costMicros } = statistics.period;
  const before = statistics.before.days.map((day) => day.costMicros);
  const free = costMicros === 0 && statistics.before.costMicros === 0;
  const { unpricedCalls } = statistics.period;
  if (days.length === 1 && !free) return <CostOfDay statistics={statistics} />;
  return (
    <ChartCard
      title="Cost by day"
      keys={[
        { label: "Total", look: "bg-brass", value: formatCost(costMicros) },
        {
          label: period.before.charAt(0).toUpperCase() + period.before.slice(1),
          look: "h-0! rounded-none border-t-2 border-dashed border-ink-soft",
          value: formatCost(statistics.before.costMicros),
        },
      ]}
      empty={
        free
          ? `${unpricedCalls > 0 ? "The cost of these calls isn’t known" : "These calls were free"}. Add your carrier’s rates under Settings, Carriers, to see the cost of each day here.`
          : undefined
      }
      note={unpricedLabel(unpricedCalls)}
      table={{
        head: ["Day", "Cost", `Cost, ${period.before}`],
        rows: days.map((day, index) => [
          long.format(new Date(day.date)),
          formatCost(day.costMicros),
          formatCost(before[index] ?? 0),
        ]),
      }}
    >
      <BarsChart
        parts={[{ name: "Cost", fill: "var(--brass)" }]}
        beforeName="Previous period"
        format={formatCost}
        data={days.map((day, index) => ({
          label: short.format(new Date(day.date)),
          title: long.format(new Date(day.date)),
          parts: [day.costMicros],
          before: before[index] ?? null,
        }))}
      />
    </ChartCard>
  );
}

/** A single bar would have nothing to compare with. */
function CostOfDay({ statistics: { period, before } }: { statistics: Statistics }) {
  const left = unpricedLabel(period.unpricedCalls);
  return (
    <section aria-labelledby="cost" className="flex flex-col rounded-md border border-line bg-panel p-5">
      <h2 id="cost" className="text-sm font-semibold">
        Cost
      </h2>
      <p className="mt-3 text-display font-semibold tracking-[-0.02em] tabular-nums">{formatCost(period.costMicros)}</p>
      <p className="text-xs text-ink-soft tabular-nums">{formatCost(before.costMicros)} by this time yesterday</p>
      {left === null ? null : <p className="mt-1 text-xs text-pretty text-ink-soft">{left}</p>}
    </section>
  );
}

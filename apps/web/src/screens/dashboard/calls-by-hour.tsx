import type { Statistics } from "@leadline/contract/statistics";
import { formatHour, formatShortHour } from "../../components/format-time.ts";
import { BarsChart, ChartCard } from "./chart-card.tsx";
import type { Period } from "./period.ts";

const workingDay = { from: 8, to: 18 };

interface CallsByHourProps {
  statistics: Statistics;
  period: Period;
  className?: string;
}

export function CallsByHour({ statistics, period, className = "" }: CallsByHourProps) {
  const { hours } = statistics.period;
  const before = statistics.before.hours.map(({ calls }) => calls);
  const busy = hours.filter(({ hour, calls }) => calls > 0 || (before[hour] ?? 0) > 0).map(({ hour }) => hour);
  const first = Math.min(workingDay.from, ...busy);
  const last = Math.max(workingDay.to, ...busy);
  const answered = hours.reduce((sum, hour) => sum + hour.answered, 0);
  return (
    <ChartCard
      title="Calls by hour"
      className={className}
      keys={[
        { label: "Answered", look: "bg-brand", value: String(answered) },
        { label: "Not answered", look: "bg-brand/35", value: String(statistics.period.calls - answered) },
        { label: capital(period.before), look: "h-0! rounded-none border-t-2 border-dashed border-ink-soft" },
      ]}
      empty={busy.length === 0 ? "See here when your team calls, and when people answer." : undefined}
      table={{
        head: ["Hour", "Calls", "Answered", `Calls, ${period.before}`],
        rows: hours
          .filter(({ hour }) => busy.includes(hour))
          .map((hour) => [
            formatHour(hour.hour),
            String(hour.calls),
            String(hour.answered),
            String(before[hour.hour] ?? 0),
          ]),
      }}
    >
      <BarsChart
        parts={[
          { name: "Answered", fill: "var(--brand)" },
          { name: "Not answered", fill: "color-mix(in srgb, var(--brand) 35%, var(--panel))" },
        ]}
        beforeName={capital(period.before)}
        format={String}
        wholeSteps
        data={hours.slice(first, last + 1).map((hour) => ({
          label: formatShortHour(hour.hour),
          title: `${formatHour(hour.hour)} to ${formatHour((hour.hour + 1) % 24)}`,
          parts: [hour.answered, hour.calls - hour.answered],
          before: before[hour.hour] ?? 0,
        }))}
      />
    </ChartCard>
  );
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

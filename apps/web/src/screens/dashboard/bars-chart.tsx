import { Bar, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

export interface BarsDatum {
  /** Shown below the bar. */
  label: string;
  /** Shown in the tooltip, if it says more than the label. */
  title: string;
  /** Stacked from the bottom. */
  parts: readonly number[];
  before: number | null;
}

interface BarsChartProps {
  data: readonly BarsDatum[];
  /** One per part, from the bottom. */
  parts: readonly { name: string; fill: string }[];
  beforeName: string;
  format: (value: number) => string;
  /** False for money, which isn't counted in whole steps. */
  wholeSteps?: boolean;
}

const tick = { fill: "var(--ink-soft)", fontSize: 11 };

/** Stacked bars, with the previous period as a dashed stepped line behind them. Not animated. */
export function BarsChart({ data, parts, beforeName, format, wholeSteps = false }: BarsChartProps) {
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 176 }}>
      <ComposedChart
        data={[...data]}
        margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="18%"
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="label" tick={tick} tickLine={false} axisLine={{ stroke: "var(--line)" }} minTickGap={12} />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width="auto"
          tickCount={4}
          allowDecimals={!wholeSteps}
          tickFormatter={format}
        />
        <Tooltip
          cursor={{ fill: "var(--ink)", fillOpacity: 0.05 }}
          isAnimationActive={false}
          content={<Bubble {...{ data, parts, beforeName, format }} />}
        />
        {parts.map((part, index) => (
          <Bar
            key={part.name}
            stackId="parts"
            dataKey={(datum: BarsDatum) => datum.parts[index] ?? 0}
            name={part.name}
            fill={part.fill}
            maxBarSize={36}
            isAnimationActive={false}
          />
        ))}
        <Line
          dataKey="before"
          name={beforeName}
          type="step"
          stroke="var(--ink-soft)"
          strokeWidth={1.5}
          strokeDasharray="3 3"
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

/** The chart adds the label of the hovered bar. */
function Bubble({ data, label, parts, beforeName, format }: BarsChartProps & { label?: string | number }) {
  const datum = data.find((candidate) => candidate.label === label);
  if (!datum) return null;
  return (
    <div className="rounded-md border border-line bg-panel px-3 py-2 text-xs shadow-lift tabular-nums">
      <p className="font-semibold">{datum.title}</p>
      {parts.map((part, index) => (
        <p key={part.name}>
          {part.name}: {format(datum.parts[index] ?? 0)}
        </p>
      ))}
      {datum.before === null ? null : (
        <p className="text-ink-soft">
          {beforeName}: {format(datum.before)}
        </p>
      )}
    </div>
  );
}

import type { Statistics } from "@leadline/contract/statistics";
import { ArrowDown, ArrowUp, Minus } from "lucide-react";
import { formatDuration } from "../../components/format-time.ts";
import { type Change, describeChange } from "./describe-change.ts";

const count = new Intl.NumberFormat("en-US");
const share = (value: number): string => `${Math.round(value * 100)} %`;
const seconds = (ms: number): string => (ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms));

/** The most important figures, each compared with the previous period. */
export function Figures({ statistics: { period, before } }: { statistics: Statistics }) {
  const average = period.averageTalkMs === null ? "" : `, ${formatDuration(period.averageTalkMs)} a call`;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line lg:grid-cols-4">
      <Figure
        label="Calls"
        value={count.format(period.calls)}
        change={describeChange({ now: period.calls, before: before.calls, format: count.format })}
      />
      <Figure
        label="Connect rate"
        value={period.connectRate === null ? null : share(period.connectRate)}
        change={describeChange({ now: period.connectRate, before: before.connectRate, format: share, inPoints: true })}
      />
      <Figure
        label="Talk time"
        more={average}
        value={formatDuration(period.talkMs)}
        change={describeChange({ now: period.talkMs, before: before.talkMs, format: formatDuration })}
      />
      <Figure
        label="Average set-up"
        value={period.averageSetupMs === null ? null : seconds(period.averageSetupMs)}
        change={describeChange({ now: period.averageSetupMs, before: before.averageSetupMs, format: seconds })}
      />
    </dl>
  );
}

interface FigureProps {
  label: string;
  /** Next to the label. */
  more?: string;
  value: string | null;
  change: Change | null;
}

function Figure({ label, more = "", value, change }: FigureProps) {
  return (
    <div className="flex flex-col gap-0.5 bg-panel px-4 py-4 md:px-5">
      <dt className="text-table text-ink-soft">
        {label}
        {more ? <span className="max-md:hidden">{more}</span> : null}
      </dt>
      <dd className="text-display font-semibold tracking-[-0.02em] tabular-nums">{value ?? "–"}</dd>
      <dd className="flex min-h-4 flex-wrap items-center gap-x-1 text-xs text-ink-soft tabular-nums">
        {change ? <ChangeWords change={change} /> : "no data yet"}
      </dd>
    </div>
  );
}

const arrows = { up: ArrowUp, down: ArrowDown, same: Minus };
const spoken = { up: "up", down: "down", same: "" };

function ChangeWords({ change: { direction, size, from } }: { change: Change }) {
  const Arrow = arrows[direction];
  return (
    <>
      <Arrow className="size-3.5" aria-hidden="true" />
      <span className="sr-only">{spoken[direction]}</span>
      {size ? <span className="font-medium text-ink">{size}</span> : null}
      {from}
    </>
  );
}

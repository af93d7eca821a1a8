import type { Call } from "@leadline/contract/calls";
import { formatDuration, formatSpan } from "../../components/format-time.ts";
import { callsOfDay, coversDay, type DayFigures, dayFigures } from "./day-figures.ts";

interface FiguresProps {
  calls: readonly Call[];
  /** Whether there are no older calls than these. */
  complete: boolean;
  now: Date;
}

export function Figures({ calls, complete, now }: FiguresProps) {
  const today = dayFigures(callsOfDay(calls, now, 0));
  const yesterday = coversDay(calls, { complete, now, daysAgo: 1 }) ? dayFigures(callsOfDay(calls, now, 1)) : null;
  const whole = coversDay(calls, { complete, now, daysAgo: 0 });
  const before = (word: (figures: DayFigures) => string) => (yesterday ? `${word(yesterday)} yesterday` : null);
  return (
    <section aria-labelledby="figures">
      <h2 id="figures" className="mb-2 text-sm font-semibold">
        Today{whole ? "" : ", the newest calls only"}
      </h2>
      <dl className="grid grid-cols-2 overflow-hidden rounded-md border border-line bg-line gap-px md:grid-cols-4">
        <Figure label="Calls" value={String(today.calls)} note={before((day) => String(day.calls))} />
        <Figure label="Answered" value={answeredShare(today)} note={before(answeredShare)} />
        <Figure label="Talk time" value={formatSpan(today.talkMs)} note={before((day) => formatSpan(day.talkMs))} />
        <Figure label="Average call" value={averageCall(today)} note={before(averageCall)} />
      </dl>
    </section>
  );
}

function Figure({ label, value, note }: { label: string; value: string; note: string | null }) {
  return (
    <div className="flex flex-col gap-0.5 bg-panel px-5 py-4">
      <dt className="text-table text-ink-soft">{label}</dt>
      <dd className="text-display font-semibold tracking-[-0.02em] tabular-nums">{value}</dd>
      {note ? <dd className="text-xs text-ink-soft tabular-nums">{note}</dd> : null}
    </div>
  );
}

const answeredShare = (day: DayFigures): string =>
  day.ended === 0 ? "–" : `${Math.round((day.answered / day.ended) * 100)} %`;
const averageCall = (day: DayFigures): string => (day.answered === 0 ? "–" : formatDuration(day.talkMs / day.answered));

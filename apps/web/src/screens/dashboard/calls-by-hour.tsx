import { classNames } from "../../ui/class-names.ts";
import type { Call } from "@leadline/contract/calls";
import { callsOfDay, dayFigures } from "./day-figures.ts";

/** Today's calls as bars, one an hour, answered below and the rest above; and how they ended as one bar. */
export function CallsByHour({ calls, now }: { calls: readonly Call[]; now: Date }) {
  const today = callsOfDay(calls, now, 0);
  if (today.length === 0) return null;
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const ofHour = dayFigures(today.filter((call) => new Date(call.createdAt).getHours() === hour));
    return { hour, total: ofHour.calls, answered: ofHour.answered };
  });
  const shown = hours.filter(({ hour, total }) => total > 0 || (hour >= 8 && hour <= 18));
  const from = shown[0]?.hour ?? 8;
  const to = shown.at(-1)?.hour ?? 18;
  const most = Math.max(...hours.map(({ total }) => total));
  const day = dayFigures(today);
  return (
    <section aria-labelledby="by-hour" className="rounded-md border border-line bg-panel p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="by-hour" className="text-sm font-semibold">
          Calls by hour
        </h2>
        <ul className="flex flex-wrap gap-4 text-xs text-ink-soft">
          <Key look="bg-brand" label="Answered" count={day.answered} />
          <Key look="bg-brand/30" label="Not answered" count={day.notAnswered + day.failed} />
        </ul>
      </div>
      <figure
        aria-label={hours
          .filter(({ total }) => total > 0)
          .map(({ hour, total, answered }) => `${hour} o'clock: ${total} calls, ${answered} answered`)
          .join("; ")}
        className="mt-4 flex h-36 items-stretch gap-1 md:gap-2"
      >
        {hours.slice(from, to + 1).map(({ hour, total, answered }) => (
          <div
            key={hour}
            aria-hidden="true"
            className="flex min-w-0 flex-1 flex-col"
            title={`${hour}:00, ${total} calls`}
          >
            <svg
              className="min-h-0 w-full flex-1 border-b border-line"
              preserveAspectRatio="none"
              viewBox={`0 0 1 ${most}`}
              aria-hidden="true"
            >
              <rect x="0" width="1" y={most - total} height={total} className="fill-brand/30" />
              <rect x="0" width="1" y={most - answered} height={answered} className="fill-brand" />
            </svg>
            <span
              className={classNames(
                "pt-1.5 text-center text-2xs text-ink-soft tabular-nums",
                (hour - from) % 3 !== 0 && "max-md:invisible",
              )}
            >
              {hour}
            </span>
          </div>
        ))}
      </figure>
    </section>
  );
}

function Key({ look, label, count }: { look: string; label: string; count: number }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2.5 rounded-[3px] ${look}`} />
      {label} <span className="font-medium text-ink tabular-nums">{count}</span>
    </li>
  );
}

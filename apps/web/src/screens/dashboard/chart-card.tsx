import { clsx } from "clsx";
import { lazy, type ReactNode, Suspense, useId } from "react";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The chart library is the largest part of the page, so figures and lists come first. */
export const BarsChart = lazy(async () => ({ default: (await import("./bars-chart.tsx")).BarsChart }));

interface ChartKey {
  label: string;
  /** The class that sets the mark's colour. */
  look: string;
  value?: string;
}

interface ChartCardProps {
  title: string;
  keys?: readonly ChartKey[];
  /** Shown in place of a chart without data. */
  empty?: ReactNode;
  /** What the chart leaves out. */
  note?: string | null;
  /** The chart's data as a table, for people who can't see the chart. */
  table: { head: readonly string[]; rows: readonly (readonly string[])[] };
  className?: string;
  children: ReactNode;
}

export function ChartCard({ title, keys = [], empty, note = null, table, className, children }: ChartCardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={clsx("flex flex-col rounded-md border border-line bg-panel p-5", className)}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        {empty ? null : <Keys keys={keys} />}
      </div>
      {empty || note === null ? null : <p className="mt-1 text-xs text-pretty text-ink-soft">{note}</p>}
      {empty ? (
        <p className="grid min-h-44 flex-1 place-items-center text-center text-sm text-balance text-ink-soft">
          <span className="max-w-[44ch]">{empty}</span>
        </p>
      ) : (
        <>
          <div aria-hidden="true" className="relative mt-4 min-h-44 flex-1">
            <div className="absolute inset-0">
              <Suspense fallback={<Skeleton className="h-full w-full" />}>{children}</Suspense>
            </div>
          </div>
          <div className="sr-only">
            <table>
              <caption>{title}</caption>
              <thead>
                <tr>
                  {table.head.map((cell) => (
                    <th key={cell} scope="col">
                      {cell}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map(([first, ...rest]) => (
                  <tr key={first}>
                    <th scope="row">{first}</th>
                    {rest.map((cell, index) => (
                      <td key={table.head[index + 1]}>{cell}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}

function Keys({ keys }: { keys: readonly ChartKey[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 text-xs text-ink-soft">
      {keys.map(({ label, look, value }) => (
        <li key={label} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={clsx("size-2.5 rounded-[3px]", look)} />
          {label}
          {value ? <span className="font-medium text-ink tabular-nums">{value}</span> : null}
        </li>
      ))}
    </ul>
  );
}

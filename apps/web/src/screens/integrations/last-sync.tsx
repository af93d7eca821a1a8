import type { SyncRun } from "@leadline/contract/integrations";
import { formatFullTime, formatWhen } from "../../components/format-time.ts";
import { useNow } from "../../components/use-now.ts";
import { changesOf } from "../../data/started-syncs.ts";

/** The progress of a running sync, or when the last one ended. Why it failed or waits is below the row. */
export function LastSync({ run }: { run: SyncRun }) {
  const now = useNow();
  if (run.endedAt === null) return <Progress run={run} />;
  if (run.status === "failed") return null;
  return (
    <span className="whitespace-nowrap text-ink-soft" title={`${formatFullTime(run.endedAt)}. ${changesOf(run)}.`}>
      Synced {formatWhen(run.endedAt, now)}
    </span>
  );
}

function Progress({ run }: { run: SyncRun }) {
  const { read, total } = run;
  const words =
    total === null || total === 0 ? "Starting to sync" : `${read.toLocaleString()} of ${total.toLocaleString()} leads`;
  return (
    <span className="flex flex-col gap-1">
      <span
        role="progressbar"
        aria-label="Syncing leads"
        aria-valuemin={0}
        aria-valuemax={100}
        {...(total ? { "aria-valuenow": Math.round((100 * read) / total) } : {})}
        aria-valuetext={words}
        className="block h-1.5 overflow-hidden rounded-full bg-ink/10"
      >
        <span
          className="block h-full rounded-full bg-brass transition-[width] duration-300"
          style={{ width: total ? `${Math.max(4, (100 * read) / total)}%` : "4%" }}
        />
      </span>
      <span className="text-xs whitespace-nowrap text-ink-soft tabular-nums">{words}</span>
    </span>
  );
}

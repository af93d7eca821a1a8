import { useQuery } from "@tanstack/react-query";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { useTimes } from "../../components/use-times.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { limitBreachesQuery } from "../../data/limits-query.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

/** For admins: calls that the limits refused or ended recently. Owners get one email a day about each limit. */
export function RefusedCalls() {
  const times = useTimes();
  const breaches = useQuery(limitBreachesQuery);
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-6">
      <div>
        <h2 className="font-semibold">Refused and ended calls</h2>
        <p className="mt-0.5 text-table text-ink-soft">
          By a limit, in the last 30 days. Owners get at most one email a day for each limit and member.
        </p>
      </div>
      {breaches.data ? (
        breaches.data.length === 0 ? (
          <p className="text-sm text-ink-soft">No call was refused or ended.</p>
        ) : (
          <ul className="divide-y divide-line rounded-md border border-line bg-panel">
            {breaches.data.map(({ id, userName, phoneNumber, detail, attempts, lastAt }) => (
              <li key={id} className="flex flex-col gap-0.5 px-4 py-3">
                <p className="flex flex-wrap justify-between gap-x-4 text-sm">
                  <span>
                    <span className="font-medium">{userName}</span>{" "}
                    <span className="tabular-nums">{formatPhoneNumber(phoneNumber)}</span>
                    {attempts > 1 ? <span className="text-ink-soft"> and {attempts - 1} more</span> : null}
                  </span>
                  <time dateTime={lastAt} title={times.full(lastAt)} className="text-ink-soft">
                    {times.when(lastAt)}
                  </time>
                </p>
                <p className="text-table text-pretty text-ink-soft">{detail}</p>
              </li>
            ))}
          </ul>
        )
      ) : breaches.isError ? (
        <LoadFailed what="The refused and ended calls" query={breaches} />
      ) : (
        <output aria-label="Loading the refused and ended calls">
          <Skeleton className="h-16 w-full rounded-md" />
        </output>
      )}
    </section>
  );
}

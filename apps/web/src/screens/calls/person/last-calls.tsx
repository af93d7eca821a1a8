import { isLive } from "@leadline/contract/call-state";
import { useQuery } from "@tanstack/react-query";
import { formatDuration } from "../../../components/format-time.ts";
import { LoadFailed } from "../../../components/load-failed.tsx";
import { callsOfNumberQuery } from "../../../data/calls-query.ts";
import { outcomeInWords } from "../../../phone/call/call-ended-sentence.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { localTime } from "../local-time.ts";

const shown = 5;

/** What was said before: the newest calls with this number, whoever of the organisation made them. */
export function LastCalls({ phoneNumber, except }: { phoneNumber: string; except: string | null }) {
  const log = useQuery(callsOfNumberQuery(phoneNumber, shown + 1));
  const calls = (log.data ?? []).filter((call) => call.callSid !== except && !isLive(call.status)).slice(0, shown);
  return (
    <section aria-labelledby="last-calls">
      <h2 id="last-calls" className="mb-2 text-sm font-semibold">
        Last calls
      </h2>
      {log.data ? (
        calls.length > 0 ? (
          <ol className="rounded-md border border-line bg-panel">
            {calls.map((call) => (
              <li key={call.callSid} className="border-b border-line px-4 py-2.5 text-table last:border-b-0">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <time dateTime={call.createdAt} className="font-medium tabular-nums">
                    {localTime(call.createdAt)}
                  </time>
                  <span className="text-ink-soft tabular-nums">
                    {call.durationMs > 0 ? formatDuration(call.durationMs) : outcomeInWords(call)}
                  </span>
                  <span className="text-ink-soft">{call.userName}</span>
                  {call.outcome ? <Badge className="ml-auto">{call.outcome.name}</Badge> : null}
                </p>
                {call.note ? <p className="mt-1 line-clamp-4 whitespace-pre-line text-pretty">{call.note}</p> : null}
              </li>
            ))}
          </ol>
        ) : (
          <p className="rounded-md border border-dashed border-field-line/50 px-4 py-6 text-center text-ink-soft">
            The first call with this number.
          </p>
        )
      ) : log.isError ? (
        <LoadFailed
          what="The last calls"
          error={log.error}
          retrying={log.isFetching}
          onRetry={() => void log.refetch()}
        />
      ) : (
        <div aria-busy="true" className="rounded-md border border-line bg-panel">
          {["w-40", "w-52"].map((width) => (
            <div key={width} className="border-b border-line px-4 py-3 last:border-b-0">
              <Skeleton className={width} />
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

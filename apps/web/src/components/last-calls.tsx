import { isLive } from "@leadline/contract/call-state";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatDuration } from "./format-time.ts";
import { LoadFailed } from "./load-failed.tsx";
import { useTimes } from "./use-times.ts";
import { callLogQuery } from "../data/calls-query.ts";
import { callOutcomeLabel } from "@leadline/contract/call-outcome-label";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const shownAtFirst = 5;

interface LastCallsProps {
  /** The lead if known; otherwise the number, E.164. */
  of: { leadId: string } | { phoneNumber: string };
  /** The call that is already shown. */
  except?: string | null;
  /** If another heading is already above it. */
  headingHidden?: boolean;
}

/** The notes of earlier calls, newest first, whoever in the organisation made them. */
export function LastCalls({ of, except = null, headingHidden = false }: LastCallsProps) {
  const log = useInfiniteQuery(callLogQuery(of));
  const [all, setAll] = useState(false);
  const times = useTimes();
  const past = (log.data?.pages.flatMap((page) => page.items) ?? []).filter(
    (call) => call.callSid !== except && !isLive(call.status),
  );
  const calls = all ? past : past.slice(0, shownAtFirst);
  const who = "leadId" in of ? "lead" : "number";
  return (
    <section aria-labelledby="last-calls">
      <h2 id="last-calls" className={headingHidden ? "sr-only" : "mb-2 text-sm font-semibold"}>
        Last calls
      </h2>
      {log.data ? (
        calls.length > 0 ? (
          <>
            <ol className="rounded-md border border-line bg-panel">
              {calls.map((call) => (
                <li key={call.callSid} className="border-b border-line px-4 py-2.5 text-table last:border-b-0">
                  <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                    <time
                      dateTime={call.createdAt}
                      title={times.full(call.createdAt)}
                      className="font-medium tabular-nums"
                    >
                      {times.when(call.createdAt)}
                    </time>
                    <span className="text-ink-soft tabular-nums">
                      {[callOutcomeLabel(call), call.durationMs > 0 && formatDuration(call.durationMs)]
                        .filter(Boolean)
                        .join(", ")}
                    </span>
                    <span className="text-ink-soft">{call.userName}</span>
                    {call.outcome ? <Badge className="ml-auto">{call.outcome.name}</Badge> : null}
                  </p>
                  {call.note ? <p className="mt-1 line-clamp-4 whitespace-pre-line text-pretty">{call.note}</p> : null}
                </li>
              ))}
            </ol>
            {calls.length < past.length || log.hasNextPage ? (
              <Button
                tone="quiet"
                size="small"
                className="mt-2"
                busy={log.isFetchingNextPage}
                onClick={() => (all ? void log.fetchNextPage() : setAll(true))}
              >
                Show earlier calls
              </Button>
            ) : null}
          </>
        ) : (
          <p className="rounded-md border border-dashed border-field-line/50 px-4 py-6 text-center text-ink-soft">
            {except === null ? `No call with this ${who} yet.` : `The first call with this ${who}.`}
          </p>
        )
      ) : log.isError ? (
        <LoadFailed what="Recent calls" query={log} />
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

import { useInfiniteQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type LucideIcon, PhoneMissed, PhoneOutgoing, SearchX, Users, Voicemail } from "lucide-react";
import { LoadFailed } from "../../../components/load-failed.tsx";
import { LoadMore } from "../../../components/load-more.tsx";
import { useCallsSandbox } from "../../../components/use-other-carrier.ts";
import { useReadsOnly } from "../../../components/use-own-role.ts";
import { type CallLogFilter, callLogQuery } from "../../../data/calls-query.ts";
import { problemDetail } from "../../../data/problem-error.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { CallRow } from "./call-row.tsx";

const emptyWords = {
  recent: {
    title: "No calls yet",
    text: "Your calls appear here, newest first, with their result and duration.",
  },
  missed: {
    title: "No missed calls",
    text: "Missed calls to your numbers appear here so you can call back.",
  },
  voicemail: {
    title: "No messages",
    text: "Voicemail messages appear here so you can listen and call back. An owner can turn voicemail on under Settings.",
  },
  "to-sort": {
    title: "Nothing to sort",
    text: "When several leads share a number, its calls wait here until you choose the right lead.",
  },
  "not-reached": {
    title: "No unanswered calls",
    text: "Calls that weren’t answered appear here so you can try again.",
  },
};

const pictures = {
  recent: PhoneOutgoing,
  missed: PhoneMissed,
  voicemail: Voicemail,
  "to-sort": Users,
  "not-reached": PhoneOutgoing,
} as const satisfies Record<keyof typeof emptyWords, LucideIcon>;

interface CallLogProps {
  filter: CallLogFilter;
  /** Clears the filter; null if nothing is filtered. */
  onClear: (() => void) | null;
  empty: keyof typeof emptyWords;
  onCall: (() => void) | undefined;
}

export function CallLog({ filter, onClear, empty, onCall }: CallLogProps) {
  const log = useInfiniteQuery(callLogQuery(filter));
  const readsOnly = useReadsOnly();
  // Only a sandbox simulates these callees. With another carrier the numbers don't exist.
  const tries = useCallsSandbox() && !readsOnly;
  const Picture = pictures[empty];
  const calls = log.data?.pages.flatMap((page) => page.items) ?? [];
  if (log.isPending) return <CallLogSkeleton />;
  if (calls.length === 0 && log.isError) return <LoadFailed what="Your calls" query={log} />;
  if (calls.length === 0)
    return onClear ? (
      <EmptyState
        picture={<SearchX className="size-6" aria-hidden="true" />}
        title={filter.search ? `No calls match “${filter.search}”` : "No matching calls"}
        action={
          <Button tone="plain" onClick={onClear}>
            Show all
          </Button>
        }
      >
        {filter.search
          ? "Search looks at numbers, leads and notes, with words in any order."
          : "No calls match these filters."}
      </EmptyState>
    ) : (
      <EmptyState picture={<Picture className="size-6" aria-hidden="true" />} title={emptyWords[empty].title}>
        {emptyWords[empty].text}
        {empty === "recent" && tries ? " Try +1 202 555 0100: it answers and speaks." : null}
      </EmptyState>
    );
  return (
    <>
      <ul
        aria-label="Calls"
        aria-busy={log.isPlaceholderData}
        className={clsx(
          "overflow-hidden rounded-md border border-line bg-panel transition-opacity",
          log.isPlaceholderData && "opacity-60",
        )}
      >
        {calls.map((call) => (
          <CallRow key={call.callSid} call={call} onCall={onCall} />
        ))}
      </ul>
      {log.isError ? (
        <p role="alert" className="text-table text-fault">
          {problemDetail(log.error)}
        </p>
      ) : null}
      <LoadMore list={log} />
    </>
  );
}

function CallLogSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading calls" role="status" className="rounded-md border border-line bg-panel">
      {["a", "b", "c", "d", "e", "f"].map((row) => (
        <div key={row} className="flex h-14 items-center gap-4 border-b border-line px-4 last:border-b-0">
          <Skeleton className="size-4" />
          <Skeleton className="w-40" />
          <Skeleton className="ml-auto w-24" />
        </div>
      ))}
    </div>
  );
}

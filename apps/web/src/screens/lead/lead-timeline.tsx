import { callOutcomeLabel } from "@leadline/contract/call-outcome-label";
import type { LeadTimelineEntry } from "@leadline/contract/lead-timeline";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { History, Paperclip, Phone, StickyNote } from "lucide-react";
import { leadFieldWords } from "../../components/lead-field-words.ts";
import { textLinkLook } from "../../components/auth-card.tsx";
import { formatDuration } from "../../components/format-time.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { MessageLine } from "../../components/message-line.tsx";
import { useTimes } from "../../components/use-times.ts";
import { leadTimelineQuery } from "../../data/lead-timeline-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Everything that happened with a lead, newest first. */
export function LeadTimeline({ leadId, name }: { leadId: string; name: string }) {
  const timeline = useInfiniteQuery(leadTimelineQuery(leadId));
  const entries = timeline.data?.pages.flatMap((page) => page.items) ?? [];
  if (!timeline.data)
    return timeline.isError ? (
      <LoadFailed what="The timeline" query={timeline} />
    ) : (
      <div aria-busy="true" className="flex flex-col gap-4">
        <Skeleton className="w-52" />
        <Skeleton className="w-40" />
      </div>
    );
  if (entries.length === 0)
    return (
      <p className="rounded-md border border-dashed border-field-line/50 px-4 py-6 text-center text-ink-soft">
        Nothing has happened with this lead yet. Calls, notes, files and changes will be listed here.
      </p>
    );
  return (
    <>
      <ol aria-label="Timeline" className="rounded-md border border-line bg-panel">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} name={name} />
        ))}
      </ol>
      {timeline.hasNextPage ? (
        <Button
          tone="quiet"
          size="small"
          className="mt-2"
          busy={timeline.isFetchingNextPage}
          onClick={() => void timeline.fetchNextPage()}
        >
          Show earlier
        </Button>
      ) : null}
      {timeline.isFetchNextPageError ? (
        <p role="alert" className="mt-2 text-table text-fault">
          {problemDetail(timeline.error)}
        </p>
      ) : null}
    </>
  );
}

const icons = { call: Phone, note: StickyNote, file: Paperclip, change: History } as const;

function Entry({ entry, name }: { entry: LeadTimelineEntry; name: string }) {
  const times = useTimes();
  const Icon = icons[entry.kind];
  return (
    <li className="flex gap-3 border-b border-line px-4 py-2.5 text-table last:border-b-0">
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{titleOf(entry)}</span>
          <time dateTime={entry.at} title={times.full(entry.at)} className="text-ink-soft tabular-nums">
            {times.when(entry.at)}
          </time>
          <By entry={entry} />
          {entry.kind === "call" && entry.outcomeName ? <Badge className="ml-auto">{entry.outcomeName}</Badge> : null}
        </p>
        <Details entry={entry} />
        {entry.kind === "call" && entry.voicemail ? (
          <MessageLine callSid={entry.callSid} voicemail={entry.voicemail} of={name} className="mt-2" />
        ) : null}
      </div>
    </li>
  );
}

function By({ entry }: { entry: LeadTimelineEntry }) {
  const sync = entry.kind === "change" ? entry.sync : null;
  if (sync === null) return <span className="text-ink-soft">{entry.userName ?? "Sync"}</span>;
  const { integrationId, runId, label } = sync;
  return (
    <Link to="/integrations/$integrationId/syncs/$runId" params={{ integrationId, runId }} className={textLinkLook}>
      Sync of {label}
    </Link>
  );
}

function titleOf(entry: LeadTimelineEntry): string {
  if (entry.kind === "note") return "Note";
  if (entry.kind === "file") return "File";
  if (entry.kind === "change") return "Changed";
  const { call, voicemail } = entry;
  const length = call.durationMs > 0 ? `, ${formatDuration(call.durationMs)}` : "";
  const which = call.direction === "inbound" ? "Inbound call" : "Call";
  return `${which}: ${callOutcomeLabel(call)}${length}${voicemail ? ", voicemail" : ""}`;
}

function Details({ entry }: { entry: LeadTimelineEntry }) {
  const text = entry.kind === "note" ? entry.text : entry.kind === "call" ? entry.call.note : "";
  if (text !== "")
    return (
      <p dir="auto" className="mt-1 line-clamp-6 text-left whitespace-pre-line text-pretty wrap-anywhere">
        {text}
      </p>
    );
  if (entry.kind === "file") return <p className="mt-1 wrap-anywhere">{entry.name}</p>;
  if (entry.kind !== "change") return null;
  return (
    <ul className="mt-1">
      {entry.fields.map(({ field, before, after }) => (
        <li key={field} className="wrap-anywhere">
          <span className="text-ink-soft">{leadFieldWords[field]}:</span> from {before === "" ? "nothing" : before} to{" "}
          {after === "" ? "nothing" : after}
        </li>
      ))}
    </ul>
  );
}

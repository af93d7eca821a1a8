import type { Call } from "@leadline/contract/calls";
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import { callOutcome, callOutcomeWords } from "../../components/call-outcome.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { formatDuration, formatFullTime, formatWhen } from "../../components/format-time.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";

export function RecentCalls({ calls, now }: { calls: readonly Call[]; now: Date }) {
  return (
    <div>
      <h2 className="mb-2 text-sm font-semibold">Recent calls</h2>
      {calls.length === 0 ? (
        <EmptyState title="No calls yet" className="py-10">
          Each call of your organisation will stand here: whom, by whom, how it ended and how long it took.
        </EmptyState>
      ) : (
        <Table label="Recent calls">
          <RecentCallsHead />
          <TableBody>
            {calls.map((call) => (
              <CallRow key={call.callSid} call={call} now={now} />
            ))}
          </TableBody>
        </Table>
      )}
    </div>
  );
}

export function RecentCallsHead() {
  return (
    <TableHead>
      <TableRow>
        <TableHeadCell>Who</TableHeadCell>
        <TableHeadCell>Outcome</TableHeadCell>
        <TableHeadCell className="max-md:hidden">By</TableHeadCell>
        <TableHeadCell align="right" className="max-md:hidden">
          Duration
        </TableHeadCell>
        <TableHeadCell align="right">When</TableHeadCell>
      </TableRow>
    </TableHead>
  );
}

const tones = { live: "call", answered: "brand", "not-answered": "plain", failed: "fault" } as const;

function CallRow({ call, now }: { call: Call; now: Date }) {
  const Arrow = call.direction === "outbound" ? ArrowUpRight : ArrowDownLeft;
  return (
    <TableRow>
      <TableCell className="font-medium whitespace-nowrap tabular-nums">
        <span className="flex items-center gap-2">
          <Arrow className="size-4 text-ink-soft" aria-hidden="true" />
          <span className="sr-only">{call.direction === "outbound" ? "To" : "From"} </span>
          {formatPhoneNumber(call.phoneNumber)}
        </span>
      </TableCell>
      <TableCell>
        <Badge tone={tones[callOutcome(call)]}>
          {callOutcomeWords(call)}
          {call.durationMs > 0 ? (
            <span className="tabular-nums md:hidden">{formatDuration(call.durationMs)}</span>
          ) : null}
        </Badge>
      </TableCell>
      <TableCell className="text-ink-soft max-md:hidden">{call.userName}</TableCell>
      <TableCell align="right" className="max-md:hidden">
        {call.durationMs > 0 ? formatDuration(call.durationMs) : "–"}
      </TableCell>
      <TableCell align="right" className="whitespace-nowrap text-ink-soft">
        <time dateTime={call.createdAt} title={formatFullTime(call.createdAt)}>
          {formatWhen(call.createdAt, now)}
        </time>
      </TableCell>
    </TableRow>
  );
}

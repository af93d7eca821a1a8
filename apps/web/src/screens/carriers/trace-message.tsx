import type { CarrierTrace } from "@leadline/contract/carriers";
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import { formatFullTime } from "../../components/format-time.ts";
import { Badge } from "../../ui/badge.tsx";
import { describeTraceMessage } from "./describe-trace-message.ts";

const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});

/** A row that expands to the whole message. */
export function TraceMessage({ message }: { message: CarrierTrace["messages"][number] }) {
  const { at, direction, protocol, address, port, summary, text, ignored } = message;
  const Arrow = direction === "sent" ? ArrowUpRight : ArrowDownLeft;
  const { answers, number } = describeTraceMessage(message);
  const words = direction === "sent" ? "Sent" : "Received";
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-10 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-table hover:bg-sunk">
          <time dateTime={at} title={formatFullTime(at)} className="text-ink-soft tabular-nums">
            {clock.format(new Date(at))}
          </time>
          <span className="inline-flex items-center gap-1 text-ink-soft">
            <Arrow aria-hidden="true" className="size-4" /> {words}
          </span>
          <span className="min-w-0 flex-1 basis-60 font-medium wrap-anywhere">
            {summary}
            {answers === null ? null : <span className="font-normal text-ink-soft"> to {answers}</span>}
          </span>
          {number === null ? null : <span className="min-w-0 text-ink-soft tabular-nums wrap-anywhere">{number}</span>}
          {ignored === null ? null : <Badge tone="fault">Ignored</Badge>}
        </summary>
        <div className="flex flex-col gap-2 px-4 pt-2 pb-4 text-table">
          <p className="text-ink-soft wrap-anywhere">
            {direction === "sent" ? "To" : "From"} {address}, port {port}, over {protocol}
          </p>
          {ignored === null ? null : <p className="text-fault">It was ignored. {ignored}</p>}
          <pre className="rounded-md bg-sunk p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
            {text.trimEnd()}
          </pre>
        </div>
      </details>
    </li>
  );
}

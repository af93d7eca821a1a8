import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { callOutcomeLabel } from "@leadline/contract/call-outcome-label";
import { clsx } from "clsx";
import { PhoneIncoming, PhoneOutgoing } from "lucide-react";
import { callEndedSentence } from "../../../components/call-ended-sentence.ts";
import { forwardedLabel, verifiedLabel } from "../../../components/caller-label.ts";
import { costLabel } from "../../../components/cost-label.ts";
import { formatPhoneNumber } from "../../../components/format-phone-number.ts";
import { formatDuration } from "../../../components/format-time.ts";
import { leadsLabel } from "../../../components/lead-names.ts";
import { transferLabel } from "../../../components/transfer-label.ts";
import { useTimes } from "../../../components/use-times.ts";

/** The columns: direction; who, with known details; outcome; time, duration and cost. */
export function CallSummary({ call, name, number }: { call: Call; name: string | null; number: string }) {
  const times = useTimes();
  const called = call.calledNumber === null ? null : `to ${formatPhoneNumber(call.calledNumber)}`;
  const shown = call.shownNumber === null ? null : `from ${formatPhoneNumber(call.shownNumber)}`;
  const verified = verifiedLabel(call);
  const forwarded = forwardedLabel(call, formatPhoneNumber);
  const sent = call.transfer && transferLabel(call.transfer, formatPhoneNumber);
  const shared = call.leads.length > 1 ? `${leadsLabel(call.leads.length)} this number` : null;
  const Direction = call.direction === "outbound" ? PhoneOutgoing : PhoneIncoming;
  return (
    <>
      <Direction
        role="img"
        aria-label={call.direction === "outbound" ? "Outgoing" : "Incoming"}
        className="size-4 text-ink-soft"
      />
      <span className="min-w-0">
        {/* A cut-off number can't be read, a name can. */}
        <span
          dir="auto"
          className={clsx("block text-left text-sm font-medium tabular-nums", name !== null && "truncate")}
        >
          <span className="sr-only">Open the call with </span>
          {name ?? number}
        </span>
        <span className="line-clamp-2 text-xs text-ink-soft tabular-nums">
          {[name === null ? shared : number, called, shown, verified, forwarded, sent, call.userName]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {call.hoursOverride ? (
          <span className="mt-0.5 line-clamp-2 text-xs break-words text-ink-soft" title={call.hoursOverride}>
            Outside hours: {call.hoursOverride}
          </span>
        ) : null}
        {call.note ? (
          <span
            dir="auto"
            className="mt-0.5 line-clamp-2 text-left text-xs break-words text-ink-soft"
            title={call.note}
          >
            {call.note}
          </span>
        ) : null}
      </span>
      <span className="min-w-0 max-xl:text-right" title={callEndedSentence(call, formatPhoneNumber)}>
        <span className={clsx("line-clamp-2", isLive(call.status) && "font-semibold text-brand")}>
          {call.outcome?.name ?? callOutcomeLabel(call)}
        </span>
        {call.outcome ? (
          <span className="line-clamp-2 text-xs text-ink-soft max-xl:hidden">{callOutcomeLabel(call)}</span>
        ) : null}
        <span className="block text-xs text-ink-soft tabular-nums xl:hidden">{times.when(call.createdAt)}</span>
      </span>
      <span className="text-right tabular-nums max-xl:hidden">
        <time dateTime={call.createdAt} title={times.full(call.createdAt)} className="block whitespace-nowrap">
          {times.when(call.createdAt)}
        </time>
        {isLive(call.status) ? null : (
          <span className="block text-xs whitespace-nowrap text-ink-soft">
            {call.durationMs > 0 ? (
              <>
                <span className="sr-only">Duration </span>
                {formatDuration(call.durationMs)} ·{" "}
              </>
            ) : null}
            <span className="sr-only">Cost </span>
            {costLabel(call)}
          </span>
        )}
      </span>
    </>
  );
}

import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { PhoneIncoming, PhoneOutgoing } from "lucide-react";
import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { callOutcomeWords } from "../../components/call-outcome.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { formatDuration, formatFullTime, formatWhen } from "../../components/format-time.ts";
import { isActive } from "../../phone/call/call-phase.ts";
import { formatAsTyped } from "../../phone/numbers/format-number.ts";
import { usePhone, usePhoneState } from "../../phone/phone-provider.tsx";
import { classNames } from "../../ui/class-names.ts";

interface RecentCallRowProps {
  call: Call;
  now: Date;
  onRedial: () => void;
}

/** One call of the log; pressing it calls the number again. */
export function RecentCallRow({ call, now, onRedial }: RecentCallRowProps) {
  const phone = usePhone();
  const busy = isActive(usePhoneState().phase);
  const number = formatPhoneNumber(call.phoneNumber);
  const Direction = call.direction === "outbound" ? PhoneOutgoing : PhoneIncoming;
  const live = isLive(call.status);
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        disabled={busy}
        onClick={() => {
          onRedial();
          phone.setPadText(formatAsTyped(call.phoneNumber));
          void phone.start(call.phoneNumber);
        }}
        className="grid min-h-12 w-full grid-cols-[16px_1fr_auto] items-center gap-x-3 px-4 py-1.5 text-left text-table transition-colors enabled:hover:bg-sunk lg:grid-cols-[16px_160px_1fr_110px_52px_136px]"
      >
        <Direction
          role="img"
          aria-label={call.direction === "outbound" ? "Outgoing" : "Incoming"}
          className="size-4 text-ink-soft"
        />
        <span className="truncate text-sm font-medium tabular-nums">
          <span className="sr-only">Redial </span>
          {number}
        </span>
        <span className="truncate text-ink-soft max-lg:hidden">{call.userName}</span>
        <span
          title={callEndedSentence(call)}
          className={classNames("max-lg:text-right", live ? "font-semibold text-brand" : "text-ink-soft")}
        >
          {callOutcomeWords(call)}
        </span>
        <span className="text-right tabular-nums max-lg:hidden">
          {call.durationMs > 0 ? formatDuration(call.durationMs) : <span className="text-ink-soft">–</span>}
        </span>
        <time
          dateTime={call.createdAt}
          title={formatFullTime(call.createdAt)}
          className="truncate text-right text-ink-soft tabular-nums max-lg:col-start-2 max-lg:text-left max-lg:text-xs"
        >
          {formatWhen(call.createdAt, now)}
        </time>
      </button>
    </li>
  );
}

import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { PhoneIncoming, PhoneOutgoing } from "lucide-react";
import { clockText } from "../../phone/call/answer-clock.ts";
import { isActive } from "../../phone/call/call-phase.ts";
import { callEndedSentence, outcomeInWords } from "../../phone/call/call-ended-sentence.ts";
import { formatAsTyped, formatE164 } from "../../phone/numbers/format-number.ts";
import { usePhone, usePhoneState } from "../../phone/phone-provider.tsx";
import { classNames } from "../../ui/class-names.ts";
import { localTime } from "./local-time.ts";

interface RecentCallRowProps {
  call: Call;
  onRedial: () => void;
}

/** One call of the log; pressing it calls the number again. */
export function RecentCallRow({ call, onRedial }: RecentCallRowProps) {
  const phone = usePhone();
  const busy = isActive(usePhoneState().phase);
  const number = formatE164(call.phoneNumber);
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
        className="grid min-h-12 w-full grid-cols-[16px_1fr_auto] items-center gap-x-3 px-4 py-1.5 text-left text-table transition-colors enabled:hover:bg-sunk lg:grid-cols-[16px_160px_1fr_100px_52px_110px]"
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
          {outcomeInWords(call)}
        </span>
        <span className="text-right tabular-nums max-lg:hidden">
          {call.durationMs > 0 ? clockText(call.durationMs) : <span className="text-ink-soft">–</span>}
        </span>
        <time
          dateTime={call.createdAt}
          className="text-right text-ink-soft tabular-nums max-lg:col-start-2 max-lg:text-left max-lg:text-xs"
        >
          {localTime(call.createdAt)}
        </time>
      </button>
    </li>
  );
}

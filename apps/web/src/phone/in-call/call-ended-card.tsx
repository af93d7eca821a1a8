import { PhoneOff, X } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { costIfAny } from "../../components/cost-label.ts";
import { formatDuration } from "../../components/format-time.ts";
import { useOtherEnd } from "../numbers/use-other-end.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";
import { useEndedLabel } from "./use-ended-label.ts";

/** How the call ended: the reason, the duration, and the way back. */
export function CallEndedCard() {
  const phone = usePhone();
  const { call, phase } = usePhoneState();
  const number = useOtherEnd(call ?? { phoneNumber: "", callerId: null });
  const words = useEndedLabel();
  if (phase !== "ended" || !call) return null;
  return (
    <section
      aria-label="Call ended"
      className="flex animate-rise flex-col gap-1 rounded-md border border-line bg-sunk py-2 pr-2 pl-3"
    >
      <div className="flex items-start gap-2">
        <PhoneOff className="mt-2 size-4 shrink-0 text-ink-soft" aria-hidden="true" />
        <p className="min-w-0 flex-1 py-1.5 text-sm font-semibold text-pretty">{words}</p>
        <IconButton label="Dismiss" size="small" onClick={phone.dismiss}>
          <X />
        </IconButton>
      </div>
      <div className="flex items-center justify-between gap-2">
        <p className="line-clamp-2 min-w-0 text-table text-pretty text-ink-soft tabular-nums">
          {[number, call.durationMs > 0 ? formatDuration(call.durationMs) : null, costIfAny(call)]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {call.phoneNumber === "" ? null : (
          <Button tone="plain" size="small" onClick={() => void phone.start(call.phoneNumber)}>
            {call.direction === "outbound" ? "Call again" : "Call back"}
          </Button>
        )}
      </div>
    </section>
  );
}

import { PhoneOff } from "lucide-react";
import { isActive } from "../call/call-phase.ts";
import { callStageLabel } from "../call/phone-state.ts";
import { usePhoneState } from "../phone-context.ts";
import { CallTimer } from "./call-timer.tsx";
import { CutOffWarning } from "./cut-off-warning.tsx";
import { HangUpButton } from "./hang-up-button.tsx";
import { useEndedLabel } from "./use-ended-label.ts";

/** At the bottom of what covers the phone: the call's state and the hang-up button, then why the call ended. */
export function CallFoot() {
  const state = usePhoneState();
  const endedWords = useEndedLabel();
  if (state.phase === "ended")
    return (
      <p className="flex animate-rise items-start gap-2 text-sm font-semibold">
        <PhoneOff className="mt-0.5 size-4 shrink-0 text-ink-soft" aria-hidden="true" />
        <span className="text-pretty">{endedWords}</span>
      </p>
    );
  if (!isActive(state.phase)) return null;
  return (
    <div className="flex flex-col gap-3">
      <CutOffWarning className="px-2.5 py-1.5 text-xs" />
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 text-sm text-ink-soft">
          {state.answeredMs === null ? (
            callStageLabel(state)
          ) : (
            <CallTimer answeredMs={state.answeredMs} className="text-base font-semibold text-ink tabular-nums" />
          )}
        </p>
        <HangUpButton />
      </div>
    </div>
  );
}

import { isActive } from "../call/call-phase.ts";
import { callStageWords } from "../call/phone-state.ts";
import { usePhoneState } from "../phone-context.ts";
import { CallTimer } from "./call-timer.tsx";
import { HangUpButton } from "./hang-up-button.tsx";

/** At the bottom of what covers the phone: the call's state, and the hang-up button. */
export function CallFoot() {
  const state = usePhoneState();
  if (!isActive(state.phase)) return null;
  return (
    <div className="flex items-center justify-between gap-3">
      <p className="min-w-0 text-sm text-ink-soft">
        {state.answeredMs === null ? (
          callStageWords(state)
        ) : (
          <CallTimer answeredMs={state.answeredMs} className="text-base font-semibold text-ink tabular-nums" />
        )}
      </p>
      <HangUpButton />
    </div>
  );
}

import { laterPart, useEver } from "../../ui/later-part.tsx";
import { usePhoneState } from "../phone-context.ts";

const CallStageLabel = laterPart(() => import("./call-stage-label.tsx"), "CallStageLabel");

/** Announces the call's changes to screen readers on every page. */
export function CallAnnouncer() {
  const everInCall = useEver(usePhoneState().phase !== "idle");
  return (
    <div className="sr-only" aria-live="polite" aria-atomic="true" data-testid="call-announcer">
      {everInCall ? <CallStageLabel /> : null}
    </div>
  );
}

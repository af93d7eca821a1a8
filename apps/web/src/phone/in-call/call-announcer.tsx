import { laterPart, useEver } from "../../ui/later-part.tsx";
import { usePhoneState } from "../phone-context.ts";

const CallWords = laterPart(() => import("./call-words.tsx"), "CallWords");

/** Announces the call's changes to screen readers on every page. */
export function CallAnnouncer() {
  const everInCall = useEver(usePhoneState().phase !== "idle");
  return (
    <div className="sr-only" aria-live="polite" aria-atomic="true" data-testid="call-announcer">
      {everInCall ? <CallWords /> : null}
    </div>
  );
}

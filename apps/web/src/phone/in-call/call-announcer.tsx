import { laterPart, useEver } from "../../ui/later-part.tsx";
import { usePhoneState } from "../phone-context.ts";

const CallWords = laterPart(() => import("./call-words.tsx"), "CallWords");

/** Reads the call's changes out to screen readers, wherever the person is. */
export function CallAnnouncer() {
  const everInCall = useEver(usePhoneState().phase !== "idle");
  return (
    <div className="sr-only" aria-live="polite" aria-atomic="true" data-testid="call-announcer">
      {everInCall ? <CallWords /> : null}
    </div>
  );
}

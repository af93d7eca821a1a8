import { laterPart } from "../../ui/later-part.tsx";
import { usePhoneState } from "../phone-provider.tsx";

const CallWords = laterPart(() => import("./call-words.tsx"), "CallWords");

/** Reads the call's changes out to screen readers, wherever the person is. */
export function CallAnnouncer() {
  const { phase } = usePhoneState();
  return (
    <div className="sr-only" aria-live="polite" aria-atomic="true" data-testid="call-announcer">
      {phase === "idle" ? null : <CallWords />}
    </div>
  );
}

import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { callStageWords, soundPlace } from "../call/phone-state.ts";
import { usePhoneState } from "../phone-provider.tsx";

/** Reads the call's changes out to screen readers, wherever the person is. */
export function CallAnnouncer() {
  const state = usePhoneState();
  const words = () => {
    if (state.phase === "idle") return "";
    if (state.phase === "ended") return state.call ? `Call ended. ${callEndedSentence(state.call)}` : "Call ended.";
    const place = soundPlace(state) === "elsewhere" ? " The audio is in another tab." : "";
    const stage = callStageWords(state);
    return `${stage}${stage.endsWith("…") ? "" : "."}${state.muted ? " Microphone muted." : ""}${place}`;
  };
  return (
    <div className="sr-only" aria-live="polite" aria-atomic="true" data-testid="call-announcer">
      {words()}
    </div>
  );
}

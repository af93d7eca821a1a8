import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { callStageWords, soundPlace } from "../call/phone-state.ts";
import { useNumberFormat } from "../numbers/use-formatted-number.ts";
import { usePhoneState } from "../phone-provider.tsx";

/** What the call does, for those who hear it. */
export function CallWords() {
  const state = usePhoneState();
  const format = useNumberFormat({ needed: state.call?.transfer != null });
  if (state.phase === "idle") return "";
  if (state.phase === "ended")
    return state.call ? `Call ended. ${callEndedSentence(state.call, format)}` : "Call ended.";
  const place = soundPlace(state) === "elsewhere" ? " The audio is in another tab." : "";
  const stage = callStageWords(state);
  return `${stage}${stage.endsWith("…") ? "" : "."}${state.muted ? " Microphone muted." : ""}${place}`;
}

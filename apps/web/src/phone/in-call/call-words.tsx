import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { callStageWords, soundPlace } from "../call/phone-state.ts";
import { usePhoneState } from "../phone-provider.tsx";

/** The call in a sentence or two. */
export function CallWords() {
  const state = usePhoneState();
  if (state.phase === "idle") return null;
  if (state.phase === "ended") return state.call ? `Call ended. ${callEndedSentence(state.call)}` : "Call ended.";
  const place = soundPlace(state) === "elsewhere" ? " The audio is in another tab." : "";
  const stage = callStageWords(state);
  return `${stage}${stage.endsWith("…") ? "" : "."}${state.muted ? " Microphone muted." : ""}${place}`;
}

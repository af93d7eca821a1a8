import { callStageWords, soundPlace } from "../call/phone-state.ts";
import { usePhoneState } from "../phone-context.ts";
import { useEndedWords } from "./use-ended-words.ts";

/** The call's state, for screen readers. */
export function CallWords() {
  const state = usePhoneState();
  const ended = useEndedWords();
  if (state.phase === "idle") return "";
  if (state.phase === "ended") return ended === "" ? "Call ended." : `Call ended. ${ended}`;
  const place = soundPlace(state) === "elsewhere" ? " The audio is in another tab." : "";
  const stage = callStageWords(state);
  return `${stage}${stage.endsWith("…") ? "" : "."}${state.muted ? " Microphone muted." : ""}${place}`;
}

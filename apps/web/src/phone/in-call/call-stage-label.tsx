import { callStageLabel, audioLocation } from "../call/phone-state.ts";
import { usePhoneState } from "../phone-context.ts";
import { useEndedLabel } from "./use-ended-label.ts";

/** The call's state, for screen readers. */
export function CallStageLabel() {
  const state = usePhoneState();
  const ended = useEndedLabel();
  if (state.phase === "idle") return "";
  if (state.phase === "ended") return ended === "" ? "Call ended." : `Call ended. ${ended}`;
  const place = audioLocation(state) === "elsewhere" ? " The audio is in another tab." : "";
  const stage = callStageLabel(state);
  return `${stage}${stage.endsWith("…") ? "" : "."}${state.muted ? " Microphone muted." : ""}${place}`;
}

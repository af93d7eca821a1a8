import type { LiveConnectionState } from "../../data/live-listeners.ts";
import type { Obstacle } from "../drivers/call-driver.ts";

const unanswered = "Leadline isn’t responding. Trying again…";

/** Why the phone isn't ready, as far as known: the network is only blamed if the server responds. */
export function notReadyLabel(live: LiveConnectionState, obstacle: Obstacle | null): string {
  if (live !== "open") return unanswered;
  if (obstacle === null) return "Trying again…";
  if (obstacle === "no-way") return "Your network blocks the audio. Trying again…";
  const isWordOfServer = obstacle.status > 0 && obstacle.code !== "answer-unreadable";
  return isWordOfServer ? obstacle.detail : unanswered;
}

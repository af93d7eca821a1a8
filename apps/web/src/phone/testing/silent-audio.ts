import { createListeners } from "../../data/create-listeners.ts";
import type { RemoteAudio } from "../drivers/remote-audio.ts";

/** Audio output without sound, which can simulate a browser that blocks playback. */
export function silentAudio() {
  const listeners = createListeners();
  let blocked = false;
  let resumes = 0;
  const audio: RemoteAudio = {
    play() {},
    resume: () => void (resumes += 1),
    isBlocked: () => blocked,
    onChange: listeners.subscribe,
    async setSpeaker() {},
  };
  return {
    audio,
    resumes: () => resumes,
    block(next: boolean): void {
      blocked = next;
      listeners.notify();
    },
  };
}

import { createListeners } from "../../data/create-listeners.ts";

export interface RemoteAudio {
  play(track: MediaStreamTrack): void;
  /** Retries what the browser blocked before the first gesture. Only reliable inside a click or a key press. */
  resume(): void;
  /** The browser plays nothing until the user clicks or presses a key. */
  isBlocked(): boolean;
  onChange(listener: () => void): void;
  /** Null: the system's default. A browser without a choice of outputs keeps its own. */
  setSpeaker(deviceId: string | null): Promise<void>;
}

/** The one element that plays the far end; it stays on the page whatever screen is shown. */
export function createRemoteAudio(): RemoteAudio {
  const element = document.createElement("audio");
  element.autoplay = true;
  element.dataset["purpose"] = "call-audio";
  document.body.append(element);
  const listeners = createListeners();
  let blocked = false;

  function setBlocked(next: boolean): void {
    if (next === blocked) return;
    blocked = next;
    listeners.notify();
  }
  function tryToPlay(): void {
    element.play().catch((error: unknown) => {
      // Any other error means that a newer track has replaced this one.
      if (error instanceof Error && error.name === "NotAllowedError") setBlocked(true);
    });
    // Allowed: the promise itself waits for the first audio.
    if (!element.paused) setBlocked(false);
  }
  element.addEventListener("playing", () => setBlocked(false));

  return {
    play(track) {
      element.srcObject = new MediaStream([track]);
      tryToPlay();
    },
    /** Even without a track: an element that was played inside a gesture may play by itself later. */
    resume() {
      if (element.paused) tryToPlay();
    },
    isBlocked: () => blocked,
    onChange: listeners.subscribe,
    async setSpeaker(deviceId) {
      if (!canChooseSpeaker()) return;
      await element.setSinkId(deviceId ?? "").catch(() => element.setSinkId("").catch(() => {}));
    },
  };
}

export const canChooseSpeaker = (): boolean => "setSinkId" in HTMLMediaElement.prototype;

export interface RemoteAudio {
  play(track: MediaStreamTrack): void;
  /** Null: the system's. A browser without a choice of outputs keeps its own. */
  setSpeaker(deviceId: string | null): Promise<void>;
}

/** The one element that plays the far end; it stays on the page for good, whatever screen is shown. */
export function createRemoteAudio(): RemoteAudio {
  const element = document.createElement("audio");
  element.autoplay = true;
  element.dataset["purpose"] = "call-audio";
  document.body.append(element);
  return {
    play(track) {
      element.srcObject = new MediaStream([track]);
      // Refused before the first gesture; a call starts with one.
      element.play().catch(() => {});
    },
    async setSpeaker(deviceId) {
      if (!canChooseSpeaker()) return;
      await element.setSinkId(deviceId ?? "").catch(() => element.setSinkId("").catch(() => {}));
    },
  };
}

export const canChooseSpeaker = (): boolean => "setSinkId" in HTMLMediaElement.prototype;

/** A microphone that the browser opens immediately, or refuses with a DOMException of this name. */
export function plugInMicrophone(refusal: string | null): void {
  const track = Object.assign(new EventTarget(), { enabled: true, stop() {} });
  const mediaDevices = Object.assign(new EventTarget(), {
    enumerateDevices: async () => [{ deviceId: "mic", kind: "audioinput", label: "Headset" }],
    getUserMedia: async () => {
      if (refusal) throw new DOMException("refused", refusal);
      return { getAudioTracks: () => [track] };
    },
  });
  Object.defineProperty(navigator, "mediaDevices", { value: mediaDevices, configurable: true });
}

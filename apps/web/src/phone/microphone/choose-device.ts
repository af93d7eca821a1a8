export interface AudioDevice {
  id: string;
  label: string;
}

export interface DeviceLists {
  microphones: AudioDevice[];
  speakers: AudioDevice[];
}

/** Chromium lists the system default a second time under this id. */
const systemDefault = "default";

/** Names and ids are blank until the microphone was allowed once: such entries can't be chosen. */
export function listDevices(found: readonly Pick<MediaDeviceInfo, "deviceId" | "kind" | "label">[]): DeviceLists {
  const ofKind = (kind: MediaDeviceKind, word: string): AudioDevice[] =>
    found
      .filter((device) => device.kind === kind && device.deviceId !== "" && device.deviceId !== "communications")
      .map((device, i) => ({ id: device.deviceId, label: device.label || `${word} ${i + 1}` }));
  return { microphones: ofKind("audioinput", "Microphone"), speakers: ofKind("audiooutput", "Speaker") };
}

/**
 * The wanted device if it is plugged in, otherwise the system default, otherwise the first. Browsers change device ids
 * now and then (Safari at every visit), so it is found by name too.
 */
export function deviceInUse(devices: readonly AudioDevice[], wanted: AudioDevice | null): AudioDevice | null {
  return (
    devices.find((device) => device.id === wanted?.id) ??
    devices.find((device) => device.label === wanted?.label) ??
    devices.find((device) => device.id === systemDefault) ??
    devices[0] ??
    null
  );
}

/** A sentence if the device in use was unplugged; null otherwise. */
export function unpluggedSentence(before: AudioDevice | null, now: AudioDevice | null): string | null {
  if (before === null || before.id === now?.id) return null;
  return now === null
    ? `${before.label} was unplugged, and there is no other microphone.`
    : `${before.label} was unplugged. Using ${now.label} instead.`;
}

export interface AudioDevice {
  id: string;
  label: string;
}

export interface DeviceLists {
  microphones: AudioDevice[];
  speakers: AudioDevice[];
}

/** Chromium lists the system's choice a second time under this id; the browser knows it as "default". */
const systemDefault = "default";

/** Names and ids are blank until the microphone was allowed once: such entries are no devices to choose from. */
export function listDevices(found: readonly Pick<MediaDeviceInfo, "deviceId" | "kind" | "label">[]): DeviceLists {
  const ofKind = (kind: MediaDeviceKind, word: string): AudioDevice[] =>
    found
      .filter((device) => device.kind === kind && device.deviceId !== "" && device.deviceId !== "communications")
      .map((device, i) => ({ id: device.deviceId, label: device.label || `${word} ${i + 1}` }));
  return { microphones: ofKind("audioinput", "Microphone"), speakers: ofKind("audiooutput", "Speaker") };
}

/**
 * The wanted device where it is plugged in, else the system's, else the first.
 * Browsers give devices new ids now and then (Safari at every visit), so the name finds it too.
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

/** A sentence when the device in use went away; null when it did not. */
export function unpluggedSentence(before: AudioDevice | null, now: AudioDevice | null): string | null {
  if (before === null || before.id === now?.id) return null;
  return now === null
    ? `${before.label} was unplugged, and there is no other microphone.`
    : `${before.label} was unplugged. Using ${now.label} instead.`;
}

/** Why there is no microphone. insecure: the page was loaded over plain http, where browsers hide all devices. */
export type MicrophoneProblem = "insecure" | "denied" | "none" | "busy";

export class MicrophoneUnavailable extends Error {
  override name = "MicrophoneUnavailable";
  readonly problem: MicrophoneProblem;
  constructor(problem: MicrophoneProblem, cause?: unknown) {
    super(microphoneSentences[problem], { cause });
    this.problem = problem;
  }
}

/** What is wrong, and what to do about it. */
export const microphoneSentences: Record<MicrophoneProblem, string> = {
  insecure: "Browsers allow the microphone on secure pages only. Open Leadline over https or on localhost.",
  denied: "Your browser is blocking the microphone. Allow it in the site settings next to the address, then try again.",
  none: "No microphone found. Plug one in, then try again.",
  busy: "Your microphone isn’t responding, or another program is using it. Close that program, then try again.",
};

/** Missing on plain-http origins, whatever the type says. */
export const mediaDevices = (): MediaDevices | undefined => navigator.mediaDevices;

/** The errors of getUserMedia by name (Media Capture and Streams, section 9.2.4). */
const problemByName: Record<string, MicrophoneProblem> = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "none",
  OverconstrainedError: "none",
  NotReadableError: "busy",
  AbortError: "busy",
};

/** Opens the wanted microphone, or the system default if that one is gone. Throws MicrophoneUnavailable. */
export async function openMicrophone(wantedId: string | null): Promise<MediaStreamTrack> {
  const devices = mediaDevices();
  if (!devices) throw new MicrophoneUnavailable("insecure");
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  try {
    const stream = await devices.getUserMedia({
      audio: { ...audio, ...(wantedId && { deviceId: { exact: wantedId } }) },
    });
    const track = stream.getAudioTracks()[0];
    if (!track) throw new MicrophoneUnavailable("none");
    return track;
  } catch (error) {
    if (error instanceof MicrophoneUnavailable) throw error;
    const name = error instanceof Error ? error.name : "";
    if (wantedId && (name === "OverconstrainedError" || name === "NotFoundError")) return openMicrophone(null);
    throw new MicrophoneUnavailable(problemByName[name] ?? "busy", error);
  }
}

import { createListeners } from "../../data/create-listeners.ts";
import { type AudioDevice, deviceInUse, type DeviceLists, listDevices, unpluggedSentence } from "./choose-device.ts";
import { mediaDevices, type MicrophoneProblem, MicrophoneUnavailable, openMicrophone } from "./open-microphone.ts";
import { noDevices, recallDevices, rememberDevices, type RememberedDevices } from "./remembered-devices.ts";

export interface DevicesState extends DeviceLists {
  /** Null until known. */
  problem: MicrophoneProblem | null;
  /** Whether the browser would open the microphone without asking. */
  allowed: boolean;
  chosen: RememberedDevices;
  microphone: AudioDevice | null;
  speaker: AudioDevice | null;
  /** A device that was unplugged or replaced. */
  notice: string | null;
}

const nothingKnown: DevicesState = {
  microphones: [],
  speakers: [],
  problem: null,
  allowed: false,
  chosen: noDevices,
  microphone: null,
  speaker: null,
  notice: null,
};

/** The page's microphones and speakers, the chosen ones, and why there may be none. */
export function createDevices() {
  let state = nothingKnown;
  const listeners = createListeners();

  function set(change: Partial<DevicesState>): void {
    state = { ...state, ...change };
    listeners.notify();
  }

  /** Reads without a permission prompt. */
  async function look(): Promise<void> {
    const devices = mediaDevices();
    if (!devices) return set({ problem: "insecure", allowed: false });
    const [found, permission] = await Promise.all([devices.enumerateDevices().catch(() => []), microphonePermission()]);
    const lists = listDevices(found);
    const hasMicrophone = found.some((device) => device.kind === "audioinput");
    const microphone = deviceInUse(lists.microphones, state.chosen.microphone);
    const gone = !lists.microphones.some((device) => device.id === state.microphone?.id);
    const problem = permission === "denied" ? "denied" : hasMicrophone ? null : "none";
    set({
      ...lists,
      microphone,
      speaker: deviceInUse(lists.speakers, state.chosen.speaker),
      allowed: permission === "granted" || lists.microphones.some((device) => device.label !== ""),
      problem: problem ?? (state.problem === "busy" ? "busy" : null),
      notice: gone ? (unpluggedSentence(state.microphone, microphone) ?? state.notice) : state.notice,
    });
  }

  const whenReady = recallDevices().then((chosen) => {
    set({ chosen });
    return look();
  });
  mediaDevices()?.addEventListener("devicechange", () => void look());
  void watchPermission(look);

  return {
    getState: (): DevicesState => state,
    subscribe: listeners.subscribe,
    whenReady,
    /**
     * Opens the given or the chosen microphone. May ask for permission. Throws MicrophoneUnavailable, and sets the
     * reason in the state.
     */
    async open(microphoneId?: string): Promise<MediaStreamTrack> {
      await whenReady;
      try {
        const track = await openMicrophone(microphoneId ?? wantedMicrophoneId(state));
        set({ problem: null, allowed: true });
        void look();
        return track;
      } catch (error) {
        // The browser's own error is the cause, for support.
        console.warn("The microphone can’t be opened.", error);
        if (error instanceof MicrophoneUnavailable) set({ problem: error.problem });
        throw error;
      }
    },
    choose(choice: Partial<RememberedDevices>): void {
      const chosen = { ...state.chosen, ...choice };
      set({
        chosen,
        microphone: deviceInUse(state.microphones, chosen.microphone),
        speaker: deviceInUse(state.speakers, chosen.speaker),
        notice: null,
      });
      void rememberDevices(chosen);
    },
  };
}
export type Devices = ReturnType<typeof createDevices>;

/** The chosen microphone's current id; null leaves the choice to the system. */
export const wantedMicrophoneId = ({ chosen, microphone }: DevicesState): string | null =>
  chosen.microphone ? (microphone?.id ?? chosen.microphone.id) : null;

/** Firefox before 131 doesn't know the name. */
const queryMicrophone = async (): Promise<PermissionStatus | null> =>
  navigator.permissions?.query({ name: "microphone" }).catch(() => null) ?? null;

const microphonePermission = async (): Promise<PermissionState> => (await queryMicrophone())?.state ?? "prompt";

async function watchPermission(onChange: () => Promise<void>): Promise<void> {
  const permission = await queryMicrophone();
  permission?.addEventListener("change", () => void onChange());
}

import type { CallDriver } from "../drivers/call-driver.ts";
import type { CallMicrophone } from "../microphone/create-call-microphone.ts";
import type { Devices } from "../microphone/create-devices.ts";
import { nothingHeard } from "../quality/judge-sound.ts";
import type { PhoneSounds } from "../tones/phone-sounds.ts";
import { isActive } from "./call-phase.ts";
import type { PhoneStore } from "./phone-store.ts";
import { messageFor } from "./start-failure.ts";
import { recordAudioHere } from "./tab-memory.ts";
import { watchCall } from "./watch-call.ts";

/** The parts that carry a call's audio and play it. */
export interface AudioParts {
  driver: CallDriver;
  devices: Devices;
  microphone: CallMicrophone;
  sounds: PhoneSounds;
}

/** Keeps the microphone, the speaker and the audio checks in step with the call whose audio is on this page. */
export function createCallAudio(store: PhoneStore, { driver, devices, microphone, sounds }: AudioParts) {
  const { state, set } = store;
  let stopWatching: (() => void) | null = null;

  driver.onChange(() => {
    const audioOf = driver.callSid();
    const id = driver.connectionId();
    if (audioOf && id) recordAudioHere(id);
    if (state().audioOf && !audioOf) releaseAudio();
    if (!state().audioOf && audioOf) stopWatching ??= watchCall(store, driver);
    set({ driver: driver.state(), obstacle: driver.obstacle(), audioOf, soundBlocked: driver.soundBlocked() });
    if (audioOf && isActive(state().phase) && !state().hangingUp) ensureMicrophone();
  });
  devices.subscribe(() => {
    const { chosen, speaker } = devices.getState();
    void driver.setSpeaker(chosen.speaker ? (speaker?.id ?? null) : null);
  });

  /** Opens the microphone whenever a call's audio moves to this page; after a refusal, it isn't requested again. */
  function ensureMicrophone(): void {
    if (!microphone.isWanted()) microphone.open().catch(showUnheard);
  }
  const showUnheard = (error: unknown): void => set({ trouble: `They can’t hear you. ${messageFor(error)}` });

  function releaseAudio(): void {
    stopWatching?.();
    stopWatching = null;
    microphone.close();
    sounds.dialing.stop();
    set({ sound: nothingHeard, connectionLost: false });
  }

  return { ensureMicrophone, showUnheard, releaseAudio };
}
export type CallAudio = ReturnType<typeof createCallAudio>;

import type { CallUpdate } from "@leadline/contract/call-flags";
import type { AudioParts, CallAudio } from "./call-audio.ts";
import { isActive } from "./call-phase.ts";
import * as requests from "../../data/call-requests.ts";
import { hangUpUntilHeard } from "./hang-up-until-confirmed.ts";
import type { PhoneStore } from "./phone-store.ts";
import type { ApplyUpdate } from "./apply-call-update.ts";
import { messageFor } from "./start-failure.ts";
import { isConference, isOnLine } from "./two-calls.ts";

interface Parts extends Pick<AudioParts, "driver" | "microphone" | "sounds">, CallAudio {
  applyUpdate: ApplyUpdate;
  loadLiveCall: () => Promise<void>;
}

/** The rep's controls for the live call. */
export function createControls({ state, set, move }: PhoneStore, parts: Parts) {
  const { applyUpdate, loadLiveCall, releaseAudio, ensureMicrophone, showUnheard, driver, microphone, sounds } = parts;

  async function hangUpCall(callSid: string): Promise<void> {
    set({ hangingUp: true });
    const isWanted = () => {
      const known = [state().call, state().other].find((call) => call?.callSid === callSid);
      return known ? isOnLine(known) : state().call === null;
    };
    const onUnheard = () => {
      // After hanging up, the rep isn't heard any more, whenever the server learns of it.
      microphone.close();
      set({ hangUpWaits: true, trouble: null });
    };
    try {
      const ended = await hangUpUntilHeard(callSid, { isWanted, onUnheard });
      if (ended) applyUpdate(ended);
    } catch (error) {
      set({ trouble: `The call hasn’t ended. ${messageFor(error)}` });
    }
    if (!isWanted()) return;
    set({ hangingUp: false, hangUpWaits: false });
    if (state().audioOf && isActive(state().phase)) ensureMicrophone();
  }

  async function change(what: CallUpdate, undo: () => void): Promise<void> {
    const { call } = state();
    if (!call) return;
    try {
      applyUpdate(await requests.updateCall(call.callSid, what));
    } catch (error) {
      undo();
      set({ trouble: messageFor(error) });
    }
  }

  return {
    hangUpCall,
    async hangUp(): Promise<void> {
      sounds.dialing.stop();
      const { call, other } = state();
      if (state().phase === "live" && call) {
        const otherHangUp = other && isConference(state()) ? [hangUpCall(other.callSid)] : [];
        return void (await Promise.all([hangUpCall(call.callSid), ...otherHangUp]));
      }
      move("hang-up-pressed");
      if (state().phase === "idle") return releaseAudio();
      if (state().phase !== "abandoning") return;
      // The rep isn't heard any more, whatever the response to the start.
      set({ hangingUp: true });
      microphone.close();
    },
    async setMuted(muted: boolean): Promise<void> {
      sounds.mute(muted);
      microphone.setMuted(muted);
      set({ muted, trouble: null, mutesUnderWay: state().mutesUnderWay + 1 });
      await change({ muted }, () => {
        set({ muted: !muted });
        microphone.setMuted(!muted);
      });
      set({ mutesUnderWay: state().mutesUnderWay - 1 });
    },
    async setHeld(held: boolean): Promise<void> {
      set({ held, trouble: null });
      await change({ held }, () => set({ held: !held }));
    },
    /** Moves the call's audio to this page. */
    async moveAudioHere(): Promise<void> {
      const { call, movingAudio } = state();
      if (!call || movingAudio) return;
      set({ movingAudio: true, trouble: null });
      driver.resumeSound();
      const opening = microphone.open().catch(showUnheard);
      try {
        await driver.attach(call.callSid);
        await opening;
      } catch (error) {
        microphone.close();
        set({ trouble: messageFor(error) });
        void loadLiveCall();
      }
      set({ movingAudio: false });
    },
  };
}

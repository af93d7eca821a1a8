import type { CallUpdate } from "@leadline/contract/call-flags";
import type { Call } from "@leadline/contract/calls";
import { askWhenClosed } from "./ask-when-closed.ts";
import * as requests from "../../data/call-requests.ts";
import { callerIdForCall, forgetRefusedCallerId } from "./chosen-caller-id.ts";
import { isConference } from "./two-calls.ts";
import type { PhoneStore } from "./phone-store.ts";
import type { ApplyUpdate } from "./apply-call-update.ts";
import { messageFor } from "./start-failure.ts";
import type { PhoneSounds } from "../tones/phone-sounds.ts";

/** The second line. */
export function createSecondLine(
  { state, set }: PhoneStore,
  applyUpdate: ApplyUpdate,
  dialing: PhoneSounds["dialing"],
) {
  async function attempt(work: () => Promise<Call>): Promise<void> {
    set({ trouble: null });
    try {
      applyUpdate(await work());
    } catch (error) {
      set({ trouble: messageFor(error) });
    }
  }

  async function callOnSecondLine(to: requests.Callee | requests.Colleague): Promise<void> {
    const { call } = state();
    if (!call) return;
    set({ leftOther: null });
    dialing.start();
    try {
      const callee = "userId" in to ? to : { ...to, callerId: await callerIdForCall() };
      const { callSid } = await requests.consult(call.callSid, callee);
      set({ transferOpen: null });
      applyUpdate(await requests.getCall(callSid));
    } catch (error) {
      dialing.stop();
      forgetRefusedCallerId(error);
      throw error;
    }
  }

  return {
    /** Puts the call on hold and calls someone on the second line. Throws if the server refuses. */
    async consult(to: requests.Callee | requests.Colleague): Promise<void> {
      await ("userId" in to ? callOnSecondLine(to) : askWhenClosed({ set }, to, callOnSecondLine));
    },
    /** Resumes the call on hold, and holds the other one. */
    async swap(): Promise<void> {
      const { other } = state();
      if (other) await attempt(() => requests.updateCall(other.callSid, { held: false }));
    },
    async joinCalls(): Promise<void> {
      const { call, other } = state();
      if (!call || !other) return;
      await attempt(() => requests.joinCalls(call.callSid));
      await attempt(() => requests.getCall(other.callSid));
    },
    /** Connects both far ends to each other. */
    async completeTransfer(): Promise<void> {
      const { call, other } = state();
      if (!call || !other) return;
      set({ leftConference: isConference({ call, other }) ? [call.callSid, other.callSid] : [] });
      await attempt(() => requests.completeTransfer(other.callSid));
      if (state().trouble === null) await attempt(() => requests.getCall(call.callSid));
    },
    /** Changes one of the two calls. */
    change: (callSid: string, what: CallUpdate): Promise<void> => attempt(() => requests.updateCall(callSid, what)),
    drop: (callSid: string): Promise<void> => attempt(() => requests.hangUpCall(callSid)),
    readLeftOther: (): void => set({ leftOther: null }),
  };
}

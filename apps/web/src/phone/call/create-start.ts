import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { emergencySentence, isEmergencyNumber } from "@leadline/contract/emergency-numbers";
import { newIdempotencyKey } from "../../data/idempotency-key.ts";
import { dialableOf, hasLetters } from "../numbers/dialable-characters.ts";
import { outsideHoursOf } from "./ask-when-closed.ts";
import type { AudioParts, CallAudio } from "./call-audio.ts";
import { isActive } from "./call-phase.ts";
import { callerIdForCall, forgetRefusedCallerId } from "./chosen-caller-id.ts";
import * as requests from "../../data/call-requests.ts";
import { hangUpLostStart } from "./hang-up-lost-start.ts";
import { resetBetweenCalls, type PhoneState, type StartOptions } from "./phone-state.ts";
import type { PhoneStore } from "./phone-store.ts";
import type { ApplyUpdate } from "./apply-call-update.ts";
import { offlineSentence, startFailureOf } from "./start-failure.ts";

interface Parts extends AudioParts, Pick<CallAudio, "releaseAudio" | "showUnheard"> {
  applyUpdate: ApplyUpdate;
  loadLiveCall: () => Promise<void>;
  hangUpCall: (callSid: string) => Promise<void>;
}

/** From the click on Call or Answer until the call is live or has failed. */
export function createStart({ state, set, move, isOwn, holdBack }: PhoneStore, parts: Parts) {
  const { applyUpdate, loadLiveCall, releaseAudio, showUnheard, hangUpCall, driver, devices, microphone, sounds } =
    parts;
  const phase = (): PhoneState["phase"] => state().phase;
  const ownCall = (): Call | null => {
    const { call } = state();
    return call && isOwn(call) ? call : null;
  };

  async function start(phoneNumber: string, leadId?: string, options: StartOptions = {}): Promise<void> {
    if (isActive(state().phase)) return;
    const refusal = isEmergencyNumber(phoneNumber) ? emergencySentence : navigator.onLine ? null : offlineSentence;
    if (refusal)
      return set({
        startFailure: refusal,
        startRefusedBy: null,
        answerFailedOf: null,
      });
    sounds.dialing.start();
    const dialledFrom = dialableOf(state().padText);
    return begin({ dialled: phoneNumber }, async (wish) => {
      const { carrierId, outsideHours = false, outsideHoursReason } = options;
      const callerId = carrierId === undefined ? await callerIdForCall() : undefined;
      const asked = { askWhenClosed: !outsideHours, outsideHoursReason };
      const callee = { phoneNumber, leadId, carrierId, callerId, ...asked };
      const started = await driver.start({ ...callee, ...wish }).catch((error: unknown) => {
        forgetRefusedCallerId(error);
        const outside = outsideHoursOf(error);
        const place = (reason: string | undefined) =>
          start(phoneNumber, leadId, { ...options, outsideHours: true, outsideHoursReason: reason });
        if (outside && wish.isWanted()) set({ asksOutsideHours: { phoneNumber, ...outside, place } });
        throw error;
      });
      // The rep may have typed digits of the next call meanwhile.
      if (dialableOf(state().padText) === dialledFrom && !hasLetters(state().padText))
        set({ padText: "", padLeadId: undefined });
      return started;
    });
  }

  async function callOutsideHours(decision: "call" | "leave", reason?: string): Promise<void> {
    const asked = state().asksOutsideHours;
    set({ asksOutsideHours: null });
    if (decision === "call") await asked?.place(reason);
  }

  /** Answers a ringing call. */
  async function answer(call: Call): Promise<void> {
    if (isActive(state().phase)) return;
    const shown = { dialled: call.phoneNumber, call, screen: "active-call" } as const;
    return begin(shown, () => driver.answer(call.callSid).then(() => call));
  }

  async function begin(
    shown: Partial<PhoneState>,
    place: (wish: requests.StartWish) => Promise<{ callSid: string }>,
  ): Promise<void> {
    const mayOpenMicrophone = devices.getState().allowed && !devices.getState().problem;
    // Rendering the call takes longer than requesting it and handling the response.
    const hold = mayOpenMicrophone ? holdBack() : null;
    move("call-pressed");
    const idempotencyKey = newIdempotencyKey();
    set({ ...resetBetweenCalls(state()), ...shown, startKey: idempotencyKey });
    driver.resumeSound();
    microphone.setMuted(false);
    try {
      const opening = microphone.open();
      // If the browser won't ask for permission, the microphone opens during dialling.
      if (mayOpenMicrophone) opening.catch(showUnheard);
      else await opening;
      if (phase() !== "preparing") return releaseAudio();
      move("microphone-ready");
      const isWanted = () => phase() !== "abandoning";
      const { callSid } = await place({ idempotencyKey, isWanted, onSent: hold?.flush });
      hold?.release();
      // A busy callee ends the call before the response to the start arrives.
      const seen = ownCall();
      if (phase() === "abandoning") await hangUpCall(callSid);
      else if (seen?.callSid !== callSid) applyUpdate(await requests.getCall(callSid));
      const { call } = state();
      if (call && !isLive(call.status)) driver.release();
    } catch (error) {
      sounds.dialing.stop();
      if (driver.callSid() === null) microphone.close();
      const wasAbandoned = phase() === "abandoning" || phase() === "idle";
      if (phase() === "abandoning" && requests.isUnanswered(error)) {
        const ended = await hangUpLostStart(idempotencyKey, { onUnheard: () => set({ hangUpWaits: true }) });
        if (idempotencyKey !== state().startKey) return;
        if (ended) applyUpdate(ended);
      }
      move("start-failed");
      if (!ownCall()) set({ call: null });
      if (!isActive(phase())) set({ hangingUp: false, hangUpWaits: false });
      if (!wasAbandoned) set({ ...startFailureOf(error, state().call), answerFailedOf: shown.call?.callSid ?? null });
      void loadLiveCall();
    } finally {
      hold?.release();
      if (idempotencyKey === state().startKey) set({ startKey: null });
    }
  }

  return { start, answer, callOutsideHours };
}

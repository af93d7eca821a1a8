import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { emergencySentence, isEmergencyNumber } from "@leadline/contract/emergency-numbers";
import type { CallDriver } from "../drivers/call-driver.ts";
import type { CallMicrophone } from "../microphone/create-call-microphone.ts";
import type { Devices } from "../microphone/create-devices.ts";
import { nothingHeard } from "../quality/judge-sound.ts";
import type { PhoneSounds } from "../tones/phone-sounds.ts";
import { createSecondLine } from "../second-line/create-second-line.ts";
import { createKeys } from "./create-keys.ts";
import { createListeners } from "./create-listeners.ts";
import { createTransfer } from "../transfer/create-transfer.ts";
import { createIncoming } from "../incoming/create-incoming.ts";
import { type CallPhaseEvent, isActive, nextPhase } from "./call-phase.ts";
import { hangUpLostStart } from "./hang-up-lost-start.ts";
import { hangUpUntilHeard } from "./hang-up-until-heard.ts";
import * as requests from "./call-requests.ts";
import { dialableOf, hasLetters } from "../numbers/dialable-characters.ts";
import { newIdempotencyKey } from "../../data/idempotency-key.ts";
import { idlePhone, keptBetweenCalls, type PhoneState, type StartOptions } from "./phone-state.ts";
import { readLiveCalls } from "./read-live-calls.ts";
import { createSight } from "./see-calls.ts";
import { offlineSentence, startFailureOf, wordsFor } from "./start-failure.ts";
import { rememberSoundHere } from "./tab-memory.ts";
import { isConference, isOnLine } from "./two-calls.ts";
import { watchCall } from "./watch-call.ts";

interface PhoneParts {
  driver: CallDriver;
  devices: Devices;
  microphone: CallMicrophone;
  sounds: PhoneSounds;
}

const leftCause = { reason: "left", sip: null, q850: 16 } as const;

/** The one call of this page: what the person asks for goes to the server, and the server's word is what is shown. */
export function createPhone({ driver, devices, microphone, sounds }: PhoneParts) {
  let state: PhoneState = idlePhone;
  let userId: string | null = null;
  let stopWatching: (() => void) | null = null;
  let mutesUnderWay = 0;
  let lastStart = "";
  const incoming = createIncoming(() => userId);
  const listeners = createListeners();

  function set(news: Partial<PhoneState>): void {
    state = { ...state, ...news };
    listeners.tell();
  }
  const move = (event: CallPhaseEvent): void => set({ phase: nextPhase(state.phase, event) });
  /** Read anew after an await, when events may have moved it. */
  const phase = (): PhoneState["phase"] => state.phase;

  driver.onChange(() => {
    const soundOf = driver.callSid();
    const id = driver.connectionId();
    if (soundOf && id) rememberSoundHere(id);
    if (state.soundOf && !soundOf) letSoundGo();
    if (!state.soundOf && soundOf) stopWatching ??= watchCall({ driver, state: () => state, set });
    set({ driver: driver.state(), obstacle: driver.obstacle(), soundOf, soundBlocked: driver.soundBlocked() });
    if (soundOf && isActive(state.phase) && !state.hangingUp) bringMicrophone();
  });
  devices.subscribe(() => {
    const { chosen, speaker } = devices.getState();
    void driver.setSpeaker(chosen.speaker ? (speaker?.id ?? null) : null);
  });

  /** Wherever a call's sound comes to this page, the microphone comes along; one that was refused is not asked for again. */
  function bringMicrophone(): void {
    if (!microphone.isWanted()) microphone.open().catch(tellUnheard);
  }
  const tellUnheard = (error: unknown): void => set({ trouble: `They cannot hear you. ${wordsFor(error)}` });

  function letSoundGo(): void {
    stopWatching?.();
    stopWatching = null;
    microphone.close();
    sounds.dialing.stop();
    set({ sound: nothingHeard, connectionLost: false });
  }

  const { see } = createSight({
    state: () => state,
    set,
    driver,
    microphone,
    sounds,
    incoming,
    isOwn: (call) => call.userId === userId,
    isMuting: () => mutesUnderWay > 0,
    letSoundGo,
  });

  async function hangUp(callSid: string): Promise<void> {
    set({ hangingUp: true });
    const isWanted = () => {
      const known = [state.call, state.other].find((call) => call?.callSid === callSid);
      return known ? isOnLine(known) : state.call === null;
    };
    const onUnheard = () => {
      // Who has hung up is heard no more, whenever the server learns of it.
      microphone.close();
      set({ hangUpWaits: true, trouble: null });
    };
    try {
      const ended = await hangUpUntilHeard(callSid, { isWanted, onUnheard });
      if (ended) see(ended);
    } catch (error) {
      set({ trouble: `The call is still on: ${wordsFor(error)}` });
    }
    if (!isWanted()) return;
    set({ hangingUp: false, hangUpWaits: false });
    if (state.soundOf && isActive(state.phase)) bringMicrophone();
  }

  async function start(phoneNumber: string, leadId?: string, options: StartOptions = {}): Promise<void> {
    if (isActive(state.phase)) return;
    const refusal = isEmergencyNumber(phoneNumber) ? emergencySentence : navigator.onLine ? null : offlineSentence;
    if (refusal) return set({ startFailure: refusal, startRefusedByLimits: false, answerFailedOf: null });
    sounds.dialing.start();
    const dialledFrom = dialableOf(state.padText);
    return begin({ dialled: phoneNumber }, async (wish) => {
      const { carrierId, outsideHours = false } = options;
      const callee = { phoneNumber, leadId, carrierId, askWhenClosed: !outsideHours };
      const started = await driver.start({ ...callee, ...wish }).catch((error: unknown) => {
        if (requests.isProblem(error, "outside-hours") && wish.isWanted())
          set({ asksOutsideHours: { phoneNumber, leadId } });
        throw error;
      });
      // Digits of the next call may have been typed meanwhile.
      if (dialableOf(state.padText) === dialledFrom && !hasLetters(state.padText))
        set({ padText: "", padLeadId: undefined });
      return started;
    });
  }

  async function callOutsideHours(decision: "call" | "leave"): Promise<void> {
    const asked = state.asksOutsideHours;
    set({ asksOutsideHours: null });
    if (asked && decision === "call") await start(asked.phoneNumber, asked.leadId, { outsideHours: true });
  }

  /** Takes a call that rings. */
  async function answer(call: Call): Promise<void> {
    if (isActive(state.phase)) return;
    const shown = { dialled: call.phoneNumber, call, screen: "active-call" } as const;
    return begin(shown, () => driver.answer(call.callSid).then(() => call));
  }

  async function begin(
    shown: Partial<PhoneState>,
    place: (wish: requests.StartWish) => Promise<{ callSid: string }>,
  ): Promise<void> {
    const mayOpenMicrophone = devices.getState().allowed && !devices.getState().problem;
    // Drawing the call takes longer than asking for it, and than taking the answer.
    const hold = mayOpenMicrophone ? listeners.holdBack() : null;
    move("call-pressed");
    set({ ...keptBetweenCalls(state), ...shown, startingSound: true });
    driver.resumeSound();
    const idempotencyKey = newIdempotencyKey();
    lastStart = idempotencyKey;
    microphone.setMuted(false);
    try {
      const opening = microphone.open();
      // Where the browser will not ask, it opens while the call is being dialled.
      if (mayOpenMicrophone) opening.catch(tellUnheard);
      else await opening;
      if (phase() !== "preparing") return letSoundGo();
      move("microphone-settled");
      const isWanted = () => phase() !== "abandoning";
      const { callSid } = await place({ idempotencyKey, isWanted, onSent: hold?.tellOnce });
      hold?.release();
      // Busy lines end a call before the request that started it is answered.
      if (phase() === "abandoning") await hangUp(callSid);
      else if (state.call?.callSid !== callSid || state.call.userId !== userId) see(await requests.getCall(callSid));
      if (state.call && !isLive(state.call.status)) driver.release();
    } catch (error) {
      sounds.dialing.stop();
      if (driver.callSid() === null) microphone.close();
      const wasAbandoned = phase() === "abandoning" || phase() === "idle";
      if (phase() === "abandoning" && requests.isUnanswered(error)) {
        const ended = await hangUpLostStart(idempotencyKey, { onUnheard: () => set({ hangUpWaits: true }) });
        if (idempotencyKey !== lastStart) return;
        if (ended) see(ended);
      }
      move("start-failed");
      if (state.call?.userId !== userId) set({ call: null });
      if (!isActive(phase())) set({ hangingUp: false, hangUpWaits: false });
      if (!wasAbandoned) set({ ...startFailureOf(error, state.call), answerFailedOf: shown.call?.callSid ?? null });
      void loadLiveCall();
    } finally {
      hold?.release();
      if (idempotencyKey === lastStart) set({ startingSound: false });
    }
  }

  /** Asks the server for this person's live call: on load, and after events were missed. */
  const loadLiveCall = (): Promise<void> =>
    readLiveCalls({
      see,
      onAll: incoming.reading(),
      isOwn: (call) => call.userId === userId,
      shown: () => [state.call, state.other],
    });

  async function change(what: { muted?: boolean; held?: boolean }, undo: () => void): Promise<void> {
    if (!state.call) return;
    try {
      see(await requests.updateCall(state.call.callSid, what));
    } catch (error) {
      undo();
      set({ trouble: wordsFor(error) });
    }
  }

  return {
    getState: (): PhoneState => state,
    subscribe: listeners.subscribe,
    devices,
    driver,
    sounds,
    incoming,
    see,
    loadLiveCall,
    start,
    answer,
    ...createKeys({ state: () => state, set }),
    ...createTransfer({ state: () => state, set, see }),
    ...createSecondLine({ state: () => state, set, see, dialing: sounds.dialing }),
    setUser(id: string | null): void {
      userId = id;
    },
    callOutsideHours,
    /** The person is out of the organisation: the server has ended what they were in, and tells them nothing any more. */
    leave(): void {
      const endedAt = new Date().toISOString();
      for (const call of [state.other, state.call])
        if (call && isOnLine(call)) see({ ...call, status: "completed", endedAt, cause: leftCause });
    },
    setPadText: (padText: string, padLeadId?: string): void =>
      set({
        padText,
        padLeadId,
        ...(padText === "" && { extension: "" }),
        ...(state.phase === "ended" && { phase: nextPhase(state.phase, "dismissed") }),
      }),
    show: (screen: PhoneState["screen"]): void => set({ screen }),
    dismiss: (): void => move("dismissed"),
    clearStartFailure: (): void => set({ startFailure: null }),
    /** From a click: the browser lets the far end be heard. */
    hearThem: (): void => driver.resumeSound(),
    async hangUp(): Promise<void> {
      sounds.dialing.stop();
      const { call, other } = state;
      if (state.phase === "live" && call) {
        const beside = other && isConference(state) ? [hangUp(other.callSid)] : [];
        return void (await Promise.all([hangUp(call.callSid), ...beside]));
      }
      move("hang-up-pressed");
      if (phase() === "idle") return letSoundGo();
      if (phase() !== "abandoning") return;
      // Heard no more, whatever the start's answer may bring.
      set({ hangingUp: true });
      microphone.close();
    },
    async setMuted(muted: boolean): Promise<void> {
      sounds.mute(muted);
      microphone.setMuted(muted);
      set({ muted, trouble: null });
      mutesUnderWay += 1;
      await change({ muted }, () => {
        set({ muted: !muted });
        microphone.setMuted(!muted);
      });
      mutesUnderWay -= 1;
    },
    async setHeld(held: boolean): Promise<void> {
      set({ held, trouble: null });
      await change({ held }, () => set({ held: !held }));
    },
    /** Brings the call's sound to this page. */
    async takeSound(): Promise<void> {
      if (!state.call || state.takingSound) return;
      set({ takingSound: true, trouble: null });
      driver.resumeSound();
      const opening = microphone.open().catch(tellUnheard);
      try {
        await driver.attach(state.call.callSid);
        await opening;
      } catch (error) {
        microphone.close();
        set({ trouble: wordsFor(error) });
        void loadLiveCall();
      }
      set({ takingSound: false });
    },
  };
}
export type Phone = ReturnType<typeof createPhone>;

import type { Call } from "@leadline/contract/calls";
import { createAnswerTimes } from "./answer-times.ts";
import type { AudioParts, CallAudio } from "./call-audio.ts";
import { isActive } from "./call-phase.ts";
import { isLateUpdate, isNewer } from "./is-newer-update.ts";
import { isBeingTransferred, resetAtEnd } from "./phone-state.ts";
import type { PhoneStore } from "./phone-store.ts";
import { isTalkingOnSecondLine, isConference, isOfOther, isOnLine } from "./two-calls.ts";

/** Processes the server's state of a call. */
export type ApplyUpdate = (call: Call) => void;

interface CallUpdateParts
  extends Pick<AudioParts, "driver" | "microphone" | "sounds">, Pick<CallAudio, "releaseAudio"> {
  /** The calls that ring for this user. */
  incoming: { applyUpdate: ApplyUpdate };
}

/** What the page does with the server's reports on calls, whether from a response, the stream or a load. */
export function createCallUpdates({ state, set, move, isOwn }: PhoneStore, parts: CallUpdateParts): ApplyUpdate {
  const { driver, microphone, sounds, incoming, releaseAudio } = parts;
  const answers = createAnswerTimes((callSid, answeredMs) => {
    const { call, answerTimes } = state();
    set({
      answerTimes: new Map(answerTimes).set(callSid, answeredMs),
      ...(call?.callSid === callSid && { answeredMs }),
    });
  });
  const over = new Set<string>();

  function applyUpdate(call: Call): void {
    incoming.applyUpdate(call);
    if (!isOwn(call)) return leaveToTeammate(call);
    // A response from before its end may arrive after it.
    if (over.has(call.callSid) && isOnLine(call)) return;
    if (!isOnLine(call)) over.add(call.callSid);
    if (isOfOther(call, state())) return applyOtherUpdate(call);
    if (!isNewer(call, state())) return isLateUpdate(call, state()) ? set({ call }) : undefined;
    const { call: first, other, phase, startUnanswered, mutesUnderWay } = state();
    const known = first?.callSid === call.callSid ? first : null;
    const isOurStart = known !== null || isActive(phase);
    set({
      call,
      dialled: call.phoneNumber,
      held: call.held,
      // The result of a new transfer is unread, whatever an earlier one's was.
      ...(isBeingTransferred({ call }) && { transferRead: false }),
      ...(startUnanswered && { startFailure: null }),
      // A request from here is still pending, and counts.
      ...(mutesUnderWay === 0 && { muted: call.muted }),
      ...(!isOurStart && { screen: "active-call", keysSent: "", trouble: null, answeredMs: answers.of(call.callSid) }),
    });
    if (mutesUnderWay === 0) microphone.setMuted(call.muted);
    if (!isOnLine(call)) return other ? switchTo(other, call, first) : finish(isOurStart);
    move("call-reported");
    if (call.answeredAt) sounds.dialing.stop();
    answers.note(call, known);
    if (call.status === "in-progress" && known?.status !== "in-progress") driver.resumeSound();
    driver.follow(call);
    warnOfCutOff(call, known);
    showTalkingLine();
  }

  /** If several tabs show the call, in the one with its audio. */
  function warnOfCutOff(call: Call, known: Call | null): void {
    const { call: first, audioOf } = state();
    if (call.cutOff && !known?.cutOff && audioOf !== null && audioOf === first?.callSid) sounds.warning();
  }

  /** A teammate has taken over this user's call. */
  function leaveToTeammate(call: Call): void {
    const { call: known, phase } = state();
    if (known?.callSid !== call.callSid || phase !== "live" || !isOwn(known)) return;
    const cause = { reason: "transferred", sip: null, q850: null } as const;
    set({ call: { ...call, status: "completed", line: null, cause } });
    finish(true);
  }

  /** The second line. */
  function applyOtherUpdate(call: Call): void {
    const { other } = state();
    const known = other?.callSid === call.callSid ? other : null;
    if (known && known.revision > call.revision) return;
    if (!isOnLine(call)) {
      const wasJoined = isConference({ call: state().call, other: known });
      return set({ other: null, leftOther: call, ...(wasJoined && { partner: call }) });
    }
    answers.note(call, known);
    set({ other: call });
    warnOfCutOff(call, known);
    showTalkingLine();
  }

  /** Shows the call that the user is talking on first; digits are sent to it. */
  function showFirst(call: Call, other: Call | null): void {
    const { callSid, phoneNumber, held } = call;
    set({ call, other, dialled: phoneNumber, held, keysSent: "", answeredMs: answers.of(callSid) });
    driver.follow(call);
  }

  function showTalkingLine(): void {
    const { call, other } = state();
    if (!call || !other) return;
    if (isTalkingOnSecondLine({ call, other })) showFirst(other, call);
    else if (isConference({ call, other })) set({ answeredMs: timeOfConference(call, other) });
  }

  /** One duration for both calls of a conference: since the first of them was answered. */
  function timeOfConference(...both: Call[]): number | null {
    const times = both.map(({ callSid }) => answers.of(callSid)).filter((ms) => ms !== null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  function switchTo(other: Call, ended: Call, before: Call | null): void {
    sounds.dialing.stop();
    sounds.hangUp();
    const { screen, muted } = state();
    const wasJoined = isConference({ call: before, other });
    set({ ...resetAtEnd, screen, muted, leftOther: ended, ...(wasJoined && { partner: ended }) });
    showFirst(other, null);
  }

  function finish(wasShown: boolean): void {
    const { call, leftOther } = state();
    // Of two connected calls, show the transferred one; of a customer and a teammate, the customer.
    const isTransferred = leftOther?.transfer && call?.joinedWith?.callSid === leftOther.callSid;
    const wasTeammate = call?.phoneNumber === "" && leftOther?.phoneNumber;
    if (isTransferred || wasTeammate) set({ call: leftOther });
    move("call-over");
    driver.release();
    releaseAudio();
    if (wasShown) sounds.hangUp();
    set(resetAtEnd);
  }

  return applyUpdate;
}

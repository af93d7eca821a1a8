import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { PhoneState } from "./phone-state.ts";

/** A live call with a user. A ringing inbound call has no user and no line before it is answered. */
export const isOnLine = (call: Call): boolean => isLive(call.status) && (call.line !== null || call.userId === null);

type Calls = Pick<PhoneState, "call" | "other">;

/** Whether a report is about the second line. */
export function isOfOther(call: Call, { call: first, other, phase }: Calls & Pick<PhoneState, "phase">): boolean {
  if (first === null || first.callSid === call.callSid) return false;
  if (other?.callSid === call.callSid) return true;
  return phase === "live" && isOnLine(first) && isOnLine(call);
}

/** All three hear each other. */
export const isConference = ({ call, other }: Calls): boolean =>
  call !== null && other !== null && call.joinedWith?.callSid === other.callSid;

/** Both calls in order of arrival, whichever is shown first. */
export const inOrder = (...calls: Call[]): Call[] =>
  calls.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));

/** The first call is on hold and the other isn't, or no longer: the user is talking on the other. */
export const isTalkingOnSecondLine = ({ call, other }: Calls): boolean =>
  call !== null && other !== null && !isConference({ call, other }) && call.held && !other.held;

/** Both are answered: they can be connected to each other, or joined. */
export const areBothAnswered = ({ call, other }: Calls): boolean =>
  call?.status === "in-progress" && other?.status === "in-progress";

/** Whether a second line can be added. */
export const canConsult = ({ call, other, hangingUp }: Calls & Pick<PhoneState, "hangingUp">): boolean =>
  call?.status === "in-progress" && call.canHold && other === null && !hangingUp;

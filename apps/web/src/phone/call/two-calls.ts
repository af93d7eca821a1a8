import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { PhoneState } from "./phone-state.ts";

/** It lives, and its person is in it. One that rings has no person and no line before it is taken. */
export const isOnLine = (call: Call): boolean => isLive(call.status) && (call.line !== null || call.userId === null);

type Calls = Pick<PhoneState, "call" | "other">;

/** Whether a report is of the call beside the one that is shown first. */
export function isOfOther(call: Call, { call: first, other, phase }: Calls & Pick<PhoneState, "phase">): boolean {
  if (first === null || first.callSid === call.callSid) return false;
  if (other?.callSid === call.callSid) return true;
  return phase === "live" && isOnLine(first) && isOnLine(call);
}

/** All three hear each other. */
export const isConference = ({ call, other }: Calls): boolean =>
  call !== null && other !== null && call.joinedWith?.callSid === other.callSid;

/** Both, in the order in which they came, whoever is shown first. */
export const inOrder = (...calls: Call[]): Call[] =>
  calls.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));

/** The first waits and the other does not, or no longer: the person talks with the other. */
export const areTurned = ({ call, other }: Calls): boolean =>
  call !== null && other !== null && !isConference({ call, other }) && call.held && !other.held;

/** Both have answered: they can be left to each other, or all joined. */
export const areBothThere = ({ call, other }: Calls): boolean =>
  call?.status === "in-progress" && other?.status === "in-progress";

/** Somebody else can be called beside the call. */
export const canConsult = ({ call, other, hangingUp }: Calls & Pick<PhoneState, "hangingUp">): boolean =>
  call?.status === "in-progress" && call.canHold && other === null && !hangingUp;

import type { Call } from "@leadline/contract/calls";
import type { PhoneState } from "./phone-state.ts";
import { isOnLine } from "./two-calls.ts";

/** About the ended call that is still shown: the result of its transfer, for example, often arrives after its end. */
export const isLateUpdate = (call: Call, { call: known }: Pick<PhoneState, "call">): boolean =>
  known?.callSid === call.callSid && !isOnLine(known) && !isOnLine(call) && call.revision > known.revision;

/**
 * Whether a report about the user's own call is newer than what is known: reports race, and neither an ended call nor
 * one that was left comes back.
 */
export function isNewer(call: Call, { call: known, phase }: Pick<PhoneState, "call" | "phase">): boolean {
  if (known?.callSid === call.callSid) return isOnLine(known) && call.revision >= known.revision;
  if (known && known.createdAt > call.createdAt) return false;
  return isOnLine(call) || phase === "starting" || phase === "abandoning";
}

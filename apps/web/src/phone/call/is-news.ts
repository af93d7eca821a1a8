import type { Call } from "@leadline/contract/calls";
import type { PhoneState } from "./phone-state.ts";
import { isOnLine } from "./two-calls.ts";

/** Of the ended call that is still shown: what became of its transfer, say, is often told once it is over. */
export const isLateWord = (call: Call, { call: known }: Pick<PhoneState, "call">): boolean =>
  known?.callSid === call.callSid && !isOnLine(known) && !isOnLine(call) && call.revision > known.revision;

/** Whether a report about one's own call says more than what is known: reports race, and an ended call never moves, nor comes one back that was left. */
export function isNews(call: Call, { call: known, phase }: Pick<PhoneState, "call" | "phase">): boolean {
  if (known?.callSid === call.callSid) return isOnLine(known) && call.revision >= known.revision;
  if (known && known.createdAt > call.createdAt) return false;
  return isOnLine(call) || phase === "starting" || phase === "abandoning";
}

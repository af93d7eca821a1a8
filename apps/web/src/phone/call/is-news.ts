import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { PhoneState } from "./phone-state.ts";

/** Of the ended call that is still shown: what became of its transfer, say, is often told once it is over. */
export const isLateWord = (call: Call, { call: known }: Pick<PhoneState, "call">): boolean =>
  known?.callSid === call.callSid && !isLive(known.status) && !isLive(call.status) && call.revision > known.revision;

/** Whether a report about one's own call says more than what is known: reports race, and an ended call never moves. */
export function isNews(call: Call, { call: known, phase }: Pick<PhoneState, "call" | "phase">): boolean {
  if (known?.callSid === call.callSid) return isLive(known.status) && call.revision >= known.revision;
  if (known && known.createdAt > call.createdAt) return false;
  return isLive(call.status) || phase === "starting" || phase === "abandoning";
}

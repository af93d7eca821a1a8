import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { PhoneState } from "./phone-state.ts";

/** Whether a report about one's own call says more than what is known: reports race, and an ended call never moves. */
export function isNews(call: Call, { call: known, phase }: Pick<PhoneState, "call" | "phase">): boolean {
  if (known?.callSid === call.callSid) return isLive(known.status) && call.revision >= known.revision;
  if (known && known.createdAt > call.createdAt) return false;
  return isLive(call.status) || phase === "starting" || phase === "abandoning";
}

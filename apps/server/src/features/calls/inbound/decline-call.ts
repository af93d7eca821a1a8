import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import { findRingingCall } from "./find-ringing-call.ts";
import { stopRinging } from "./stop-ringing.ts";
import { findSentCall, giveBack } from "../in-call/sent-call.ts";
import { readAvailability } from "./teammate-availability.ts";

/** The call keeps ringing for the others. If nobody is left, the caller gets 486 Busy. */
export async function declineCall(
  deps: CallDeps,
  { caller, callSid }: { caller: Member; callSid: string },
): Promise<void> {
  const sent = findSentCall(deps, { caller, callSid });
  if (sent) return giveBack(deps, sent, "rejected");
  const ringing = await findRingingCall(deps, { caller, callSid });
  if (ringing.memberId !== null) return stopRinging(deps, ringing, "declined");
  ringing.declinedBy.add(caller.userId);
  const { free } = readAvailability(deps, ringing.organisationId);
  if ([...free].every((userId) => ringing.declinedBy.has(userId))) await stopRinging(deps, ringing, "declined");
}

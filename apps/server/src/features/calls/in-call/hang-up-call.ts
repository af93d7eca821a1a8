import type { Call } from "@leadline/contract/calls";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import { endCall, hungUpHere } from "./end-call.ts";
import { notCarriedHere } from "./find-own-live-call.ts";
import { readCall } from "../log/get-call.ts";
import { orReportDelay } from "../retry-write.ts";

/** Hangs up at once. If the call has already ended, returns how. */
export async function hangUpCall(
  deps: CallDeps,
  { caller, callSid }: { caller: Member; callSid: string },
): Promise<Call> {
  const live = deps.liveCalls.find(callSid);
  if (live?.userId === caller.userId) {
    const ended = await orReportDelay(
      endCall(deps, live, hungUpHere(live)),
      "The call has ended, but it hasn’t been saved to the log yet. Leadline keeps trying.",
    );
    if (ended) return ended;
  }
  const call = await readCall(deps, { caller, callSid });
  if (call.userId !== caller.userId) throw new Problem("not-found", "You’re not on this call.");
  if (call.endedAt === null) throw notCarriedHere();
  return call;
}

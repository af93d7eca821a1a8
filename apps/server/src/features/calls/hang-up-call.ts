import { setTimeout as wait } from "node:timers/promises";
import type { Call } from "@leadline/contract/calls";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import type { CallDeps } from "./call-deps.ts";
import { endCall } from "./end-call.ts";
import { readCall } from "./get-call.ts";

const patienceMs = 6000;

/** Hangs up at once; hanging up an ended call answers how it ended. */
export async function hangUpCall(
  deps: CallDeps,
  { caller, callSid }: { caller: Member; callSid: string },
): Promise<Call> {
  const live = deps.liveCalls.find(callSid);
  if (live?.userId === caller.userId && live.organisationId === caller.organisation.id) {
    const answered = live.answeredAtMs !== null;
    const ending = endCall(deps, live, {
      reason: answered ? "hung-up-here" : "canceled",
      sip: answered ? null : 487,
      q850: answered ? 16 : null,
    });
    const written = await Promise.race([ending.then(() => true), wait(patienceMs, false, { ref: false })]);
    if (!written)
      throw new Problem("unavailable", "The call is over, but Leadline could not write it down yet. It keeps trying.");
  }
  const call = await readCall(deps, { caller, callSid });
  if (call.userId !== caller.userId) throw new Problem("not-found", "You are not in this call.");
  return call;
}

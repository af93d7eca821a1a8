import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import { notCarriedHere } from "../in-call/find-own-live-call.ts";
import { readCall } from "../log/get-call.ts";
import type { RingingCall } from "./ringing-calls.ts";

/**
 * Finds a call that rings for the caller's organisation and that nobody is answering. Throws a problem if there is
 * none.
 */
export async function findRingingCall(
  deps: CallDeps,
  { caller, callSid }: { caller: Member; callSid: string },
): Promise<RingingCall> {
  const ringing = deps.ringingCalls.find(callSid);
  const isTheirs = ringing?.memberId == null || ringing.memberId === caller.userId;
  if (ringing?.organisationId === caller.organisation.id && ringing.state === "ringing" && isTheirs) return ringing;
  const call = await readCall(deps, { caller, callSid });
  if (call.userId !== null || ringing?.state === "taken") throw callTaken(call.userName);
  if (ringing || call.endedAt !== null) throw givenUp();
  throw notCarriedHere();
}

export const callTaken = (userName = ""): Problem =>
  new Problem("call-taken", `${userName || "Someone else"} has answered this call.`);
export const givenUp = (): Problem => new Problem("call-ended", "The call has stopped ringing.");

import { isLive } from "@leadline/contract/call-state";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import { readCall } from "../log/get-call.ts";
import type { LiveCall } from "../live-calls.ts";

interface WhichCall {
  caller: Member;
  callSid: string;
}

/**
 * Finds a live call that belongs to the caller. Only its own person controls a call, whichever organisation they have
 * switched to.
 */
export async function findOwnLiveCall(deps: CallDeps, { caller, callSid }: WhichCall): Promise<LiveCall> {
  const live = deps.liveCalls.find(callSid);
  if (live?.userId === caller.userId && isLive(live.status)) {
    if (live.line === null) throw new Problem("call-ended", "You’ve left this call, and the others are still talking.");
    return live;
  }
  const call = await readCall(deps, { caller, callSid });
  if (call.userId !== caller.userId) throw new Problem("not-found", "You’re not on this call.");
  throw call.endedAt === null ? notCarriedHere() : new Problem("call-ended", "This call has ended.");
}

/** The call's start or end is being written, or it is moving between processes. */
export const notCarriedHere = (): Problem =>
  new Problem("unavailable", "This call can’t be controlled right now, so nothing was done. Try again.", {
    retryAfterSeconds: 1,
  });

export const transferUnderWay = (): Problem =>
  new Problem("transfer-in-progress", "This call is being transferred. Wait until the transfer finishes.");

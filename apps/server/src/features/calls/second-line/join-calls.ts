import type { Call } from "@leadline/contract/calls";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import { joinOwnPair } from "./join-own-pair.ts";
import { readCall } from "../log/get-call.ts";
import { joinFarEnds, writeJoined } from "./join-far-ends.ts";
import { orReportDelay } from "../retry-write.ts";

/** Joins the person and both far ends in a conference. */
export async function joinCalls(deps: CallDeps, which: { caller: Member; callSid: string }): Promise<Call> {
  const pair = await joinOwnPair(deps, which, (both) => joinFarEnds(deps, both, { leaving: false }));
  await orReportDelay(writeJoined(deps, pair), "The calls are merged, but your other tabs don’t show it yet.");
  return readCall(deps, which);
}

import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import { findOwnLiveCall, transferUnderWay } from "../in-call/find-own-live-call.ts";
import type { LiveCall } from "../live-calls.ts";

/** The person's calls on their first and second line, both answered. */
export type Pair = readonly [first: LiveCall, second: LiveCall];

/** Joins this call with the caller's other one. Refuses a second request while one is in progress. */
export async function joinOwnPair(
  deps: CallDeps,
  which: { caller: Member; callSid: string },
  join: (pair: Pair) => Promise<void>,
): Promise<Pair> {
  const pair = pairOf(deps, await findOwnLiveCall(deps, which));
  for (const call of pair) call.joining = true;
  try {
    await join(pair);
    return pair;
  } finally {
    for (const call of pair) call.joining = false;
  }
}

function pairOf(deps: CallDeps, live: LiveCall): Pair {
  const other = deps.liveCalls.findOtherLine(live);
  if (!other) throw new Problem("not-supported", "You don’t have a second call.");
  const pair: Pair = live.line === 1 ? [live, other] : [other, live];
  if (pair.some(({ status, leg }) => status !== "in-progress" || !leg))
    throw new Problem("not-supported", "Wait until they answer.");
  if (pair.some(({ transfer }) => transfer?.underWay)) throw transferUnderWay();
  if (pair.some(({ joining }) => joining))
    throw new Problem("transfer-in-progress", "They’re being connected to each other right now.");
  return pair;
}

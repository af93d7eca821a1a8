import { isLive, liveStatuses } from "@leadline/contract/call-state";
import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import { applyRoom, moveAudio } from "../in-call/apply-room.ts";
import type { CallDeps } from "../call-deps.ts";
import { type CallChange, changeCall, type StoredCall } from "../calls.table.ts";
import type { Pair } from "./join-own-pair.ts";
import { signalHold } from "../in-call/signal-hold.ts";
import { publishCalls } from "../publish-calls.ts";
import { retryWrite } from "../retry-write.ts";

/**
 * Bridges the two far ends to each other, and to the person unless they are leaving. Throws if one of them has just
 * left.
 */
export async function joinFarEnds(deps: CallDeps, pair: Pair, { leaving }: { leaving: boolean }): Promise<void> {
  const [first, second] = pair;
  const { connection } = first;
  const before = pair.map(({ hold }) => hold);
  const bothStay = (): boolean => pair.every(({ status }) => isLive(status));
  first.joinedWith = second;
  second.joinedWith = first;
  for (const call of pair) {
    call.hold = "off";
    call.silenced = false;
  }
  try {
    await moveAudio(deps, pair, leaving ? null : connection);
  } catch (error) {
    for (const call of pair) call.joinedWith = null;
    if (bothStay()) {
      for (const [i, call] of pair.entries()) call.hold = before[i] ?? "off";
      await applyRoom(deps, first).catch(() => {});
      throw error;
    }
  }
  const staying = pair.filter(({ status }) => isLive(status));
  for (const [i, call] of pair.entries()) if (before[i] !== "off" && isLive(call.status)) void signalHold(deps, call);
  if (bothStay()) return;
  for (const call of pair) call.joinedWith = null;
  await Promise.all(staying.map((call) => moveAudio(deps, [call], connection)));
  throw new Problem("call-ended", "One of them has just hung up.");
}

/** Stores that the two calls are joined, with their other changes. Retries until that succeeds. */
export function writeJoined(
  deps: CallDeps,
  [first, second]: Pair,
  { also, ...change }: CallChange & { also?: (tx: Tx) => Promise<void> } = {},
): Promise<void> {
  const { organisationId, userId } = first;
  const write = (): Promise<void> =>
    deps.database.withTransaction({ organisationId, userId }, async (tx) => {
      await also?.(tx);
      const changed: StoredCall[] = [];
      for (const [call, other] of [
        [first, second],
        [second, first],
      ] as const) {
        const joined = { joinedWith: other.callSid, held: false, silenced: false, ...change };
        const stored = await changeCall(tx, call.callSid, liveStatuses, joined);
        if (stored) changed.push(stored);
      }
      await publishCalls(deps, tx, changed);
    });
  return first.inOrder(() => second.inOrder(() => retryWrite(deps.log, first.callSid, write)));
}

import { readCallBounds } from "../../limits/read-call-bounds.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { type CutOff, cutOffs } from "./cut-offs.ts";
import { endCall } from "./end-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { type RunningCallRow, selectRunningCalls } from "../running-calls.table.ts";

/** How long before it is cut off a call's person is warned. */
const warnMs = 120_000;
/** Cut-offs that differ by less are the same one: each look at the clock is a little later. */
const sameWithinMs = 3_000;

/**
 * Warns of and ends those of these calls that reach their organisation's daily spending or call length limit. To be called
 * every `everyMs`: what ends sooner than the next call of this is ended by a timer.
 */
export async function enforceCallBounds(deps: CallDeps, calls: readonly LiveCall[], everyMs: number): Promise<void> {
  const answered = calls.filter((live) => live.answeredAtMs !== null && live.ending === null);
  const organisations = new Set(answered.map(({ organisationId }) => organisationId));
  await Promise.all(
    [...organisations].map(async (organisationId) => {
      const [running, bounds] = await deps.database.withTransaction({ organisationId, forLiveCall: true }, (tx) =>
        Promise.all([selectRunningCalls(tx, organisationId), readCallBounds(tx, organisationId)]),
      );
      const ends = cutOffs(running, bounds, warnMs);
      await Promise.all(
        answered.map(async (live) => {
          const row = running.find(({ callSid }) => callSid === live.callSid);
          if (row) await enforce(deps, live, { row, cutOff: ends.get(live.callSid) ?? null, everyMs });
        }),
      );
    }),
  );
}

async function enforce(
  deps: CallDeps,
  live: LiveCall,
  { row, cutOff, everyMs }: { row: RunningCallRow; cutOff: CutOff | null; everyMs: number },
): Promise<void> {
  clearTimeout(live.cutOffTimer);
  if (cutOff !== null && cutOff.inMs <= everyMs * 2) {
    const end = () => void endCall(deps, live, { reason: cutOff.reason, sip: null, q850: 16 });
    live.cutOffTimer = setTimeout(end, cutOff.inMs).unref();
  }
  if (!isSame(row.cutOff, cutOff)) await live.inOrder(() => changeLiveCall(deps, live, { cutOff }));
}

const isSame = (told: CutOff | null, now: CutOff | null): boolean =>
  told === null || now === null
    ? told === now
    : told.reason === now.reason && Math.abs(told.inMs - now.inMs) < sameWithinMs;

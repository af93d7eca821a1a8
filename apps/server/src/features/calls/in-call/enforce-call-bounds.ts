import { costOfCall } from "@leadline/contract/cost-of-call";
import { extendHold, holdSliceMs } from "../../ledger/hold-for-call.ts";
import { readCallBounds } from "../../limits/read-call-bounds.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { type CutOff, cutOffAtHeld, cutOffAtLength, cutOffs } from "./cut-offs.ts";
import { endCall } from "./end-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { type RunningCallRow, selectFunds, selectRunningCalls } from "../running-calls.table.ts";

/** How long before the cut-off the rep is warned. */
const warnMs = 120_000;
/** Cut-offs that differ by less than this are the same one: each check runs a little later than planned. */
const sameWithinMs = 3_000;

/**
 * Warns about and ends calls that reach their organisation's spending limit, length limit or balance. Call it every
 * `everyMs`. Each call's end is a timer, so it stands if the database can't be read before then: a
 * prepaid call ends before the first stretch that isn't held.
 */
export async function enforceCallBounds(deps: CallDeps, calls: readonly LiveCall[], everyMs: number): Promise<void> {
  const answered = calls.filter((live) => live.answeredAtMs !== null && live.ending === null);
  const organisations = new Set(answered.map(({ organisationId }) => organisationId));
  await Promise.all(
    [...organisations].map(async (organisationId) => {
      const [running, bounds, fundsMicros] = await deps.database.withTransaction(
        { organisationId, forLiveCall: true },
        (tx) =>
          Promise.all([
            selectRunningCalls(tx, organisationId),
            readCallBounds(tx, organisationId),
            selectFunds(tx, organisationId),
          ]),
      );
      const ends = cutOffs(running, { ...bounds, fundsMicros }, warnMs);
      await Promise.all(
        answered.map(async (live) => {
          const row = running.find(({ callSid }) => callSid === live.callSid);
          if (!row) return;
          const { unpaid, heldMicros } = await holdAhead(deps, live, { row, everyMs });
          const cutOff = earlier(ends.get(live.callSid) ?? null, unpaid);
          const atLength = cutOffAtLength(row, bounds);
          const atHeld = cutOffAtHeld({ ...row, heldMicros }, atLength.inMs);
          endAt(deps, live, earlier(earlier(cutOff, atHeld), atLength));
          if (!isSame(row.cutOff, cutOff)) await live.inOrder(() => changeLiveCall(deps, live, { cutOff }));
        }),
      );
    }),
  );
}

/**
 * Extends a prepaid call's hold before it is used up, by a full slice or, failing that, until the next check. `unpaid`:
 * the cut-off that ends the call because neither can be held. `heldMicros`: what is held then.
 */
async function holdAhead(
  deps: CallDeps,
  { callSid, organisationId }: LiveCall,
  { row, everyMs }: { row: RunningCallRow; everyMs: number },
): Promise<{ unpaid: CutOff | null; heldMicros: number | null }> {
  const { rate, heldMicros } = row;
  const aheadMs = everyMs * 3;
  const unpaid = cutOffAtHeld(row, aheadMs);
  if (unpaid === null || rate === null) return { unpaid: null, heldMicros };
  for (const sliceMs of [holdSliceMs, aheadMs]) {
    const amountMicros = costOfCall(rate, row.elapsedMs + sliceMs);
    if (await extendHold(deps.database, { organisationId, callSid, amountMicros }))
      return { unpaid: null, heldMicros: amountMicros };
  }
  return { unpaid, heldMicros };
}

const earlier = <Other extends CutOff | null>(one: CutOff | null, other: Other): CutOff | Other =>
  one === null || (other !== null && other.inMs < one.inMs) ? other : one;

/** Replaces the end that was planned before. */
export function endAt(deps: CallDeps, live: LiveCall, { inMs, reason }: CutOff): void {
  clearTimeout(live.cutOffTimer);
  const end = () => void endCall(deps, live, { reason, sip: null, q850: 16 });
  live.cutOffTimer = setTimeout(end, inMs).unref();
}

const isSame = (told: CutOff | null, now: CutOff | null): boolean =>
  told === null || now === null
    ? told === now
    : told.reason === now.reason && Math.abs(told.inMs - now.inMs) < sameWithinMs;

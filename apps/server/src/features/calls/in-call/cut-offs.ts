import type { HangUpCause } from "@leadline/contract/call-state";
import { costOfCall, nextStretchMs } from "@leadline/contract/cost-of-call";
import type { CallRate } from "@leadline/contract/rates";
import type { CallBounds } from "../../limits/read-call-bounds.ts";

export interface RunningCall {
  callSid: string;
  /** Since the answer. */
  elapsedMs: number;
  /** Null: it costs nothing. */
  rate: CallRate | null;
}

export interface CutOff {
  inMs: number;
  reason: Extract<HangUpCause["reason"], "spending-limit" | "call-length-limit">;
}

/** A call that is cut ends this long before the stretch that it may not begin. */
const marginMs = 1_000;

/**
 * Which of an organisation's running calls must end within the horizon, and when. Each stretch of a call is paid for as it
 * begins; a call whose next stretch costs more than is left ends before it, and the others go on.
 */
export function cutOffs(calls: readonly RunningCall[], bounds: CallBounds, horizonMs: number): Map<string, CutOff> {
  const ends = new Map<string, CutOff>();
  for (const { callSid, elapsedMs } of calls) {
    const inMs = Math.max(0, bounds.longestMs - marginMs - elapsedMs);
    if (inMs <= horizonMs) ends.set(callSid, { inMs, reason: "call-length-limit" });
  }
  let left = bounds.remainingMicros;
  for (const { callSid, inMs, costs } of stretchesToCome(calls, horizonMs + marginMs)) {
    const end = ends.get(callSid);
    if (end !== undefined && end.inMs <= inMs) continue;
    if (costs > left) ends.set(callSid, { inMs: Math.max(0, inMs - marginMs), reason: "spending-limit" });
    else left -= costs;
  }
  return ends;
}

/** The stretches that cost something and begin within the horizon, the next one first. */
function stretchesToCome(
  calls: readonly RunningCall[],
  horizonMs: number,
): { callSid: string; inMs: number; costs: number }[] {
  const stretches = calls.flatMap(({ callSid, elapsedMs, rate }) => {
    const begin: { callSid: string; inMs: number; costs: number }[] = [];
    if (rate === null) return begin;
    for (let atMs = nextStretchMs(rate, elapsedMs); atMs - elapsedMs < horizonMs; atMs = nextStretchMs(rate, atMs)) {
      const costs = costOfCall(rate, atMs + 1) - costOfCall(rate, atMs);
      if (costs > 0) begin.push({ callSid, inMs: atMs - elapsedMs, costs });
    }
    return begin;
  });
  return stretches.toSorted((one, other) => one.inMs - other.inMs);
}

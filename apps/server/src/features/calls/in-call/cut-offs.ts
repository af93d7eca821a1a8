import type { HangUpCause } from "@leadline/contract/call-state";
import type { CallBounds } from "../../limits/read-call-bounds.ts";

export interface RunningCall {
  callSid: string;
  /** Since the answer. */
  elapsedMs: number;
  pricePerMinuteMicros: number;
}

export interface CutOff {
  inMs: number;
  reason: Extract<HangUpCause["reason"], "spending-limit" | "call-length-limit">;
}

const minuteMs = 60_000;
/** A call that is cut ends this long before the minute that it may not begin. */
const marginMs = 1_000;

/**
 * Which of an organisation's running calls must end within the horizon, and when. Minutes are paid for as they begin, in the
 * order in which they begin; a call whose next minute costs more than is left ends before it, and the others go on.
 */
export function cutOffs(calls: readonly RunningCall[], bounds: CallBounds, horizonMs: number): Map<string, CutOff> {
  const ends = new Map<string, CutOff>();
  for (const { callSid, elapsedMs } of calls) {
    const inMs = Math.max(0, bounds.longestMs - marginMs - elapsedMs);
    if (inMs <= horizonMs) ends.set(callSid, { inMs, reason: "call-length-limit" });
  }
  let left = bounds.remainingMicros;
  for (const { callSid, inMs, costs } of minutesToCome(calls, horizonMs + marginMs)) {
    const end = ends.get(callSid);
    if (end !== undefined && end.inMs <= inMs) continue;
    if (costs > left) ends.set(callSid, { inMs: Math.max(0, inMs - marginMs), reason: "spending-limit" });
    else left -= costs;
  }
  return ends;
}

/** The paid minutes that begin within the horizon, the next one first. */
function minutesToCome(
  calls: readonly RunningCall[],
  horizonMs: number,
): { callSid: string; inMs: number; costs: number }[] {
  const minutes = calls
    .filter(({ pricePerMinuteMicros }) => pricePerMinuteMicros > 0)
    .flatMap(({ callSid, elapsedMs, pricePerMinuteMicros: costs }) => {
      const first = minuteMs - (elapsedMs % minuteMs);
      const count = Math.max(0, Math.ceil((horizonMs - first) / minuteMs));
      return Array.from({ length: count }, (_, index) => ({ callSid, inMs: first + index * minuteMs, costs }));
    });
  return minutes.toSorted((one, other) => one.inMs - other.inMs);
}

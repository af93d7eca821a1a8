import type { Call } from "@leadline/contract/calls";
import { costOfCall, nextStretchMs } from "@leadline/contract/cost-of-call";
import type { CallRate } from "@leadline/contract/rates";
import type { CallBounds } from "../../limits/read-call-bounds.ts";

export interface RunningCall {
  callSid: string;
  userId: string | null;
  /** Since the call was answered. */
  elapsedMs: number;
  /** Null: free of charge. */
  rate: CallRate | null;
  /** Held from the balance. Null: the organisation's own carrier bills the call. */
  heldMicros: number | null;
}

export interface CutOff {
  inMs: number;
  reason: NonNullable<Call["cutOff"]>["reason"];
}

/** How long before an unpaid stretch the call is cut off. */
const marginMs = 1_000;

/**
 * Which of an organisation's running calls must end within the horizon, and when. Each stretch of a call is paid for
 * when it begins. A call whose next stretch costs more than is left ends before that stretch; the others continue.
 */
export function cutOffs(
  calls: readonly RunningCall[],
  /** `fundsMicros`: what the balance has left for stretches that have not begun. */
  bounds: CallBounds & { fundsMicros: number },
  horizonMs: number,
): Map<string, CutOff> {
  const ends = new Map<string, CutOff>();
  for (const call of calls) {
    const end = cutOffAtLength(call, bounds);
    if (end.inMs <= horizonMs) ends.set(call.callSid, end);
  }
  let left = bounds.remainingMicros;
  let funds = bounds.fundsMicros;
  const spentByMember = new Map<string | null, number>();
  for (const { callSid, userId, inMs, costs, isPrepaid } of stretchesToCome(calls, horizonMs + marginMs)) {
    const spent = spentByMember.get(userId) ?? 0;
    const leftOfMember = (boundsOf(bounds, userId)?.remainingMicros ?? Infinity) - spent;
    const end = ends.get(callSid);
    if (end !== undefined && end.inMs <= inMs) continue;
    const reason = (
      [
        ["spending-limit", left],
        ["member-spending-limit", leftOfMember],
        ["balance-used-up", isPrepaid ? funds : Infinity],
      ] as const
    ).find(([, most]) => costs > most)?.[0];
    if (reason !== undefined) {
      ends.set(callSid, { inMs: Math.max(0, inMs - marginMs), reason });
      continue;
    }
    left -= costs;
    spentByMember.set(userId, spent + costs);
    if (isPrepaid) funds -= costs;
  }
  return ends;
}

const boundsOf = ({ members }: CallBounds, userId: string | null) => members.get(userId ?? "");

/** When the call reaches the shorter of its organisation's and its member's maximum length. */
export function cutOffAtLength({ userId, elapsedMs }: RunningCall, bounds: CallBounds): CutOff {
  const longestOfMemberMs = boundsOf(bounds, userId)?.longestMs ?? Infinity;
  const inMs = Math.max(0, Math.min(bounds.longestMs, longestOfMemberMs) - marginMs - elapsedMs);
  return { inMs, reason: longestOfMemberMs < bounds.longestMs ? "member-call-length-limit" : "call-length-limit" };
}

/** When a call that has just been answered must end, until its first check. Null: nothing was held. */
export const cutOffAtAnswer = (paidForMs: number | null): CutOff | null =>
  paidForMs === null ? null : { inMs: paidForMs - marginMs, reason: "balance-used-up" };

/** When a call must end if its hold can't be extended: before the first stretch that the hold doesn't cover. */
export function cutOffAtHeld({ rate, elapsedMs, heldMicros }: RunningCall, horizonMs: number): CutOff | null {
  if (rate === null || heldMicros === null) return null;
  let atMs = nextStretchMs(rate, elapsedMs);
  while (costOfCall(rate, atMs + 1) <= heldMicros && atMs - elapsedMs < horizonMs) atMs = nextStretchMs(rate, atMs);
  const inMs = atMs - elapsedMs;
  return inMs < horizonMs ? { inMs: Math.max(0, inMs - marginMs), reason: "balance-used-up" } : null;
}

interface Stretch {
  callSid: string;
  userId: string | null;
  inMs: number;
  costs: number;
  isPrepaid: boolean;
}

/** Stretches that cost something and begin within the horizon, in order of their beginning. */
function stretchesToCome(calls: readonly RunningCall[], horizonMs: number): Stretch[] {
  const stretches = calls.flatMap(({ callSid, userId, elapsedMs, rate, heldMicros }) => {
    const begin: Stretch[] = [];
    if (rate === null) return begin;
    for (let atMs = nextStretchMs(rate, elapsedMs); atMs - elapsedMs < horizonMs; atMs = nextStretchMs(rate, atMs)) {
      const costs = costOfCall(rate, atMs + 1) - costOfCall(rate, atMs);
      if (costs > 0) begin.push({ callSid, userId, inMs: atMs - elapsedMs, costs, isPrepaid: heldMicros !== null });
    }
    return begin;
  });
  return stretches.toSorted((one, other) => one.inMs - other.inMs);
}

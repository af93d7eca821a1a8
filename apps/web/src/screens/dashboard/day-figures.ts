import type { Call } from "@leadline/contract/calls";
import { callOutcome } from "../../components/call-outcome.ts";
import { startOfDay } from "../../components/format-time.ts";

export interface DayFigures {
  calls: number;
  ended: number;
  answered: number;
  notAnswered: number;
  failed: number;
  talkMs: number;
}

export function dayFigures(calls: readonly Call[]): DayFigures {
  const figures: DayFigures = { calls: calls.length, ended: 0, answered: 0, notAnswered: 0, failed: 0, talkMs: 0 };
  for (const call of calls) {
    const outcome = callOutcome(call);
    if (outcome === "live") continue;
    figures.ended += 1;
    figures.talkMs += call.durationMs;
    if (outcome === "answered") figures.answered += 1;
    else if (outcome === "not-answered") figures.notAnswered += 1;
    else figures.failed += 1;
  }
  return figures;
}

/** `daysAgo` 0 is today; days are the reader's. */
export function callsOfDay(calls: readonly Call[], now: Date, daysAgo: number): Call[] {
  const from = new Date(startOfDay(now));
  from.setDate(from.getDate() - daysAgo);
  const to = new Date(from);
  to.setDate(to.getDate() + 1);
  return calls.filter((call) => {
    const at = new Date(call.createdAt);
    return at >= from && at < to;
  });
}

/** Whether the newest `calls`, of which there may be older ones unread, hold the whole of that day. */
export function coversDay(calls: readonly Call[], options: { complete: boolean; now: Date; daysAgo: number }): boolean {
  if (options.complete) return true;
  const from = new Date(startOfDay(options.now));
  from.setDate(from.getDate() - options.daysAgo);
  const oldest = calls.at(-1);
  return oldest !== undefined && new Date(oldest.createdAt) < from;
}

import type { Tx } from "../../db/transaction.ts";
import { readLimitsWhileDialling } from "./limits.table.ts";

export interface CallBounds {
  /** Millionths of a US dollar that calls may still cost today; minutes begun and answers awaited are taken off. */
  remainingMicros: number;
  longestMs: number;
}

/** What the organisation's live calls may still use up. */
export async function readCallBounds(tx: Tx, organisationId: string): Promise<CallBounds> {
  const { limits, firstMinutes } = await readLimitsWhileDialling(tx, organisationId);
  return {
    remainingMicros: limits.dailySpend - limits.used.dailySpend - firstMinutes,
    longestMs: limits.callMinutes * 60_000,
  };
}

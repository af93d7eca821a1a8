import type { Tx } from "../../db/transaction.ts";
import { nobody, readLimits, selectMemberBounds } from "./limits.table.ts";

interface Bounds {
  /**
   * Millionths of a US dollar that calls may still cost today; minutes already begun and calls still ringing are
   * deducted.
   */
  remainingMicros: number;
  longestMs: number;
}

export interface CallBounds extends Bounds {
  /** By user id, for those with their own limits, which apply in addition. */
  members: ReadonlyMap<string, Bounds>;
}

/** What the organisation's live calls may still use up. */
export async function readCallBounds(tx: Tx, organisationId: string): Promise<CallBounds> {
  const [{ organisation }, members] = await Promise.all([
    readLimits(tx, { organisationId, userId: nobody }),
    selectMemberBounds(tx, organisationId),
  ]);
  const { limits, used } = organisation;
  return {
    remainingMicros: limits.dailySpend - used.dailySpend - used.firstMinutes,
    longestMs: limits.callMinutes * 60_000,
    members: new Map(
      members.map(({ userId, remainingMicros, callMinutes }) => [
        userId,
        { remainingMicros: remainingMicros ?? Infinity, longestMs: (callMinutes ?? Infinity) * 60_000 },
      ]),
    ),
  };
}

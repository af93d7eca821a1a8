import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../db/database.ts";
import { createKeepApart } from "./keep-apart.ts";
import { deleteHold, type LineUser, takeLine } from "./trunk-lines.table.ts";

/** A carrier's limits. Null: no known limit. */
interface LimitedCarrier {
  id: string;
  callsPerSecond: number | null;
  channels: number | null;
}

/**
 * Some carriers count new calls in any second. With a tenth more time than needed between calls, one call too many comes
 * 1.1 s after the first of its second, at any rate: they may get 100 ms closer together on the way.
 */
const caution = 1.1;

/** Between two new calls. */
export const gapMsOf = (callsPerSecond: number): number => (caution * 1_000) / callsPerSecond;

const ofCarrier = Symbol("carrier");
/**
 * Permission to begin one call through a carrier, within the carrier's limits: to dial, or to have a callee transferred
 * to a number. Only departOn() makes one, so no call can leave without.
 */
export interface Departure {
  /** Null: the installation's carrier, or no carrier. */
  readonly [ofCarrier]: string | null;
  /** Takes another turn for the same call. Null if the carrier doesn't limit new calls. */
  readonly again: (() => Promise<boolean>) | null;
}
const spent = new WeakSet<Departure>();

/** Throws unless it is for this carrier, and unused. */
export function spendDeparture(departure: Departure | null, carrierId: string): void {
  if (departure?.[ofCarrier] !== carrierId) throw new Error("A call needs a departure of its own carrier.");
  if (spent.has(departure)) throw new Error("A departure is for one call.");
  spent.add(departure);
}

/** One of a carrier's lines, taken for a call. */
export interface Line {
  readonly [ofCarrier]: LimitedCarrier | null;
  /** Until the call may be placed. */
  readonly waitMs: number;
  /** The same line, at another time. Null: all lines are in use. */
  again(): Promise<Line | null>;
  /** Frees the line. A call in the log frees its own when it ends. */
  free(): Promise<void>;
}

interface TakenFor {
  organisationId: string;
  /** Null: the installation's carrier, or no carrier, which has no limits. */
  carrier: LimitedCarrier | null;
  /** A call in the log, or how long the line is needed at most. */
  user: { callSid: string } | { seconds: number };
  leastMs?: number;
  /** A turn that comes later isn't taken. */
  mostWaitMs?: number;
}
/** Nobody listens to silence for longer. */
export const patienceMs = 60_000;

/** Null: all lines are in use, or the next turn is too late. */
export const takeLineFor = (
  database: Pick<Database, "withTransaction">,
  { user, ...taken }: TakenFor,
): Promise<Line | null> =>
  take(database, { ...taken, lineUser: "callSid" in user ? user : { ...user, holdId: randomUUID() } });

async function take(
  database: Pick<Database, "withTransaction">,
  {
    organisationId,
    carrier,
    lineUser,
    leastMs = 0,
    mostWaitMs = patienceMs,
  }: Omit<TakenFor, "user"> & { lineUser: LineUser },
): Promise<Line | null> {
  const again = () => take(database, { organisationId, carrier, lineUser, mostWaitMs });
  if (carrier === null || (carrier.callsPerSecond === null && carrier.channels === null))
    return { [ofCarrier]: carrier, waitMs: leastMs, again, free: async () => {} };
  const { id: carrierId, callsPerSecond, channels } = carrier;
  const gapMs = callsPerSecond === null ? 0 : gapMsOf(callsPerSecond);
  const taken = await database.withTransaction({ organisationId }, (tx) =>
    takeLine(tx, { organisationId, carrierId, user: lineUser, channels, gapMs, mostWaitMs }),
  );
  if (taken === null) return null;
  return {
    [ofCarrier]: carrier,
    waitMs: Math.max(taken.waitMs, leastMs),
    again,
    async free() {
      if (!("holdId" in lineUser)) return;
      const { holdId } = lineUser;
      await database.withTransaction({ organisationId }, (tx) => deleteHold(tx, { organisationId, carrierId, holdId }));
    },
  };
}

const keepApart = createKeepApart();

/** Resolves when the call may be placed; to null once it is no longer wanted. */
export function departOn(line: Line): Promise<Departure>;
export function departOn(line: Line, isWanted: () => boolean): Promise<Departure | null>;
export async function departOn(line: Line, isWanted: () => boolean = () => true): Promise<Departure | null> {
  const carrier = line[ofCarrier];
  if (line.waitMs > 0) await sleep(line.waitMs, undefined, { ref: false });
  if (carrier !== null && carrier.callsPerSecond !== null && isWanted())
    await keepApart(carrier.id, gapMsOf(carrier.callsPerSecond));
  if (!isWanted()) return null;
  const isLimited = carrier !== null && carrier.callsPerSecond !== null;
  return { [ofCarrier]: carrier?.id ?? null, again: isLimited ? () => departAgain(line, isWanted) : null };
}

async function departAgain(line: Line, isWanted: () => boolean): Promise<boolean> {
  const next = await line.again();
  return next !== null && (await departOn(next, isWanted)) !== null;
}

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../db/database.ts";
import { createKeepApart } from "./keep-apart.ts";
import { deleteHold, type ChannelUser, hasFreeChannel, takeChannel } from "./trunk-lines.table.ts";

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
 * to a number. Only waitForTurn() makes one, so no call can leave without.
 */
export interface DialPermit {
  /** Null: the installation's carrier, or no carrier. */
  readonly [ofCarrier]: string | null;
  /** Takes another turn for the same call. Null if the carrier doesn't limit new calls. */
  readonly again: (() => Promise<boolean>) | null;
}
const used = new WeakSet<DialPermit>();

/** Throws unless it is for this carrier, and unused. */
export function usePermit(permit: DialPermit | null, carrierId: string): void {
  if (permit?.[ofCarrier] !== carrierId) throw new Error("A call needs a permit of its own carrier.");
  if (used.has(permit)) throw new Error("A permit is for one call.");
  used.add(permit);
}

/** One of a carrier's channels, taken for a call. */
export interface Channel {
  readonly [ofCarrier]: LimitedCarrier | null;
  /** Until the call may be placed. */
  readonly waitMs: number;
  /** The same channel, at another time. Null: all channels are in use. */
  again(): Promise<Channel | null>;
  /** Frees the channel. A call in the log frees its own when it ends. */
  free(): Promise<void>;
}

interface TakenFor {
  organisationId: string;
  /** Null: the installation's carrier, or no carrier, which has no limits. */
  carrier: LimitedCarrier | null;
  /** A call in the log, or how long the channel is needed at most. */
  user: { callSid: string } | { seconds: number };
  minMs?: number;
  /** A turn that comes later isn't taken. */
  maxWaitMs?: number;
}
/** Nobody listens to silence for longer. */
export const patienceMs = 60_000;

/** Null: all channels are in use, or the next turn is too late. */
export const reserveChannel = (
  database: Pick<Database, "withTransaction">,
  { user, ...taken }: TakenFor,
): Promise<Channel | null> =>
  take(database, { ...taken, channelUser: "callSid" in user ? user : { ...user, holdId: randomUUID() } });

/** Whether reserveChannel would take one of this carrier's channels now, for a call in the log. Takes none. */
export const isChannelFree = (
  database: Pick<Database, "withTransaction">,
  {
    organisationId,
    carrier: { id: carrierId, channels },
    callSid,
    maxWaitMs,
  }: { organisationId: string; carrier: LimitedCarrier; callSid: string; maxWaitMs: number },
): Promise<boolean> =>
  database.withTransaction({ organisationId }, (tx) =>
    hasFreeChannel(tx, { organisationId, carrierId, channels, user: { callSid }, maxWaitMs }),
  );

async function take(
  database: Pick<Database, "withTransaction">,
  {
    organisationId,
    carrier,
    channelUser,
    minMs = 0,
    maxWaitMs = patienceMs,
  }: Omit<TakenFor, "user"> & { channelUser: ChannelUser },
): Promise<Channel | null> {
  const again = () => take(database, { organisationId, carrier, channelUser, maxWaitMs });
  if (carrier === null || (carrier.callsPerSecond === null && carrier.channels === null))
    return { [ofCarrier]: carrier, waitMs: minMs, again, free: async () => {} };
  const { id: carrierId, callsPerSecond, channels } = carrier;
  const gapMs = callsPerSecond === null ? 0 : gapMsOf(callsPerSecond);
  const taken = await database.withTransaction({ organisationId }, (tx) =>
    takeChannel(tx, { organisationId, carrierId, user: channelUser, channels, gapMs, maxWaitMs }),
  );
  if (taken === null) return null;
  return {
    [ofCarrier]: carrier,
    waitMs: Math.max(taken.waitMs, minMs),
    again,
    async free() {
      if (!("holdId" in channelUser)) return;
      const { holdId } = channelUser;
      await database.withTransaction({ organisationId }, (tx) => deleteHold(tx, { organisationId, carrierId, holdId }));
    },
  };
}

const keepApart = createKeepApart();

/** Resolves when the call may be placed; to null once it is no longer wanted. */
export function waitForTurn(channel: Channel): Promise<DialPermit>;
export function waitForTurn(channel: Channel, isWanted: () => boolean): Promise<DialPermit | null>;
export async function waitForTurn(channel: Channel, isWanted: () => boolean = () => true): Promise<DialPermit | null> {
  const carrier = channel[ofCarrier];
  if (channel.waitMs > 0) await sleep(channel.waitMs, undefined, { ref: false });
  if (carrier !== null && carrier.callsPerSecond !== null && isWanted())
    await keepApart(carrier.id, gapMsOf(carrier.callsPerSecond));
  if (!isWanted()) return null;
  const isLimited = carrier !== null && carrier.callsPerSecond !== null;
  return { [ofCarrier]: carrier?.id ?? null, again: isLimited ? () => waitForNextTurn(channel, isWanted) : null };
}

async function waitForNextTurn(channel: Channel, isWanted: () => boolean): Promise<boolean> {
  const next = await channel.again();
  return next !== null && (await waitForTurn(next, isWanted)) !== null;
}

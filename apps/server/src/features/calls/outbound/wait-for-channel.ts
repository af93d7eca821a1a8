import { isLive } from "@leadline/contract/call-state";
import {
  isChannelFree,
  waitForTurn,
  type DialPermit,
  type Channel,
  patienceMs,
  reserveChannel,
} from "../../carriers/channels/dial-permits.ts";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import { endCall } from "../in-call/end-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { isWaitShown, waitForFreeChannel } from "../wait-for-free-channel.ts";

const oneOf = new Intl.ListFormat("en", { type: "disjunction" });
const allOf = new Intl.ListFormat("en");

export type Connection = NonNullable<CarrierInUse["connection"]>;

/**
 * Takes one of the carrier's channels, which are limited in new calls per second and in number. Null if all are in use, or
 * the call's turn would come too late. The call waits at least `minMs`.
 */
export const reserveChannelOrEnd = (
  deps: CallDeps,
  live: LiveCall,
  { connection, minMs }: { connection: Connection | null; minMs: number },
): Promise<Channel | null> => orEnd(deps, live, take(deps, live, { connection, minMs }));

/** If this fails, the call ends, which frees its channel. */
async function orEnd<T>(deps: CallDeps, live: LiveCall, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
    throw error;
  }
}

const take = (
  { database }: CallDeps,
  { organisationId, callSid }: LiveCall,
  asked: { connection: Connection | null; minMs?: number; maxWaitMs?: number },
) => {
  const { connection: carrier, ...waits } = asked;
  return reserveChannel(database, { organisationId, carrier, user: { callSid }, ...waits });
};

interface Waiting {
  connection: Connection;
  /** Null: all of them are in use. */
  channel: Channel | null;
  /** Carriers that come before it, whose channels were in use too. */
  others: readonly Connection[];
  /** By performance.now(). Null: it hasn't waited before. */
  untilMs: number | null;
}

/** `permit`: null if the call must not be dialled. `freed`: another carrier has a free channel, which isn't taken yet. */
type Waited = { permit: DialPermit | null } | { freed: Connection; untilMs: number };

type Found = { taken: Channel } | { freed: Connection };

/** Shows the person why the call waits, then resolves to a promise of how that ends. */
export async function waitForChannel(
  deps: CallDeps,
  live: LiveCall,
  { connection, channel, others, untilMs: waitsUntilMs }: Waiting,
): Promise<{ leaving: Promise<Waited> }> {
  const { callSid, organisationId } = live;
  const labels = [...others, connection].map(({ label }) => label);
  const show = (waitsFor: string | null) => live.inOrder(() => changeLiveCall(deps, live, { waitsFor }));
  const isWanted = (): boolean => isLive(live.status);
  const isNew = waitsUntilMs === null;
  const isShown = !isNew || isWaitShown(channel);
  if (isShown && isNew) await orEnd(deps, live, show(channel ? connection.label : oneOf.format(labels)));
  const leaving = wait(channel).catch(async (error: unknown) => {
    deps.log.error({ err: error, callSid }, "a call could not be queued");
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
    return { permit: null };
  });
  return { leaving };

  async function findFree(maxWaitMs: number): Promise<Connection | null> {
    for (const carrier of others)
      if (await isChannelFree(deps.database, { organisationId, carrier, callSid, maxWaitMs })) return carrier;
    return null;
  }

  async function look(maxWaitMs: number): Promise<Found | null> {
    const taken = await take(deps, live, { connection, maxWaitMs });
    if (taken) return { taken };
    const freed = isWanted() ? await findFree(maxWaitMs) : null;
    return freed && { freed };
  }

  async function wait(first: Channel | null): Promise<Waited> {
    const untilMs = waitsUntilMs ?? performance.now() + patienceMs;
    const waits = { isWanted, patienceMs: untilMs - performance.now(), take: look };
    const found = await waitForFreeChannel<Found>(first && { taken: first }, waits);
    if (found && "freed" in found) return { freed: found.freed, untilMs };
    if (found === null) {
      live.refusal = `All lines at ${allOf.format(labels)} are in use. Try again in a moment.`;
      await endCall(deps, live, { reason: "carrier-refused", sip: null, q850: null });
      return { permit: null };
    }
    const permit = await waitForTurn(found.taken, isWanted);
    // Not awaited: the call leaves now, apart from the one before it.
    if (permit && isShown)
      show(null).catch((error: unknown) => deps.log.warn({ err: error, callSid }, "a call is shown as waiting"));
    return { permit };
  }
}

import { isLive } from "@leadline/contract/call-state";
import {
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

type Connection = NonNullable<CarrierInUse["connection"]>;

/**
 * Takes one of the carrier's channels, which are limited in new calls per second and in number. Null if all are in use, or
 * the call's turn would come too late. The call waits at least `minMs`.
 */
export async function reserveChannelOrEnd(
  deps: CallDeps,
  live: LiveCall,
  { connection, minMs }: { connection: Connection | null; minMs: number },
): Promise<Channel | null> {
  try {
    return await take(deps, live, { connection, minMs });
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

/** Shows the person why the call waits, then resolves to a promise of its permit. Null if it must not be dialled. */
export async function waitForChannel(
  deps: CallDeps,
  live: LiveCall,
  { connection, channel }: { connection: Connection; channel: Channel | null },
): Promise<{ leaving: Promise<DialPermit | null> }> {
  const { label } = connection;
  const { callSid } = live;
  const show = (waitsFor: string | null) => live.inOrder(() => changeLiveCall(deps, live, { waitsFor }));
  const isWanted = (): boolean => isLive(live.status);
  const isShown = isWaitShown(channel);
  if (isShown) await show(label);
  const leaving = wait(channel).catch(async (error: unknown) => {
    deps.log.error({ err: error, callSid }, "a call could not be queued");
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
    return null;
  });
  return { leaving };

  async function wait(first: Channel | null): Promise<DialPermit | null> {
    const takeAgain = (maxWaitMs: number) => take(deps, live, { connection, maxWaitMs });
    const taken = await waitForFreeChannel(first, { isWanted, patienceMs, take: takeAgain });
    if (taken === null) {
      live.refusal = `All lines at ${label} are in use. Try again in a moment.`;
      await endCall(deps, live, { reason: "carrier-refused", sip: null, q850: null });
      return null;
    }
    const permit = await waitForTurn(taken, isWanted);
    // Not awaited: the call leaves now, apart from the one before it.
    if (permit && isShown)
      show(null).catch((error: unknown) => deps.log.warn({ err: error, callSid }, "a call is shown as waiting"));
    return permit;
  }
}

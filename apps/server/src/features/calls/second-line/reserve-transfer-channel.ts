import { isLive } from "@leadline/contract/call-state";
import { waitForTurn, type DialPermit, type Channel, reserveChannel } from "../../carriers/channels/dial-permits.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { findConnectionOfCall } from "../running-calls.table.ts";
import { isWaitShown, waitForFreeChannel } from "../wait-for-free-channel.ts";

/** A transfer rings no longer than that. */
const maxSeconds = 300;
/** The far end is waiting on hold meanwhile. */
const patienceMs = 8_000;

interface TransferChannel {
  /** Null: the call is over. */
  permit: DialPermit | null;
  free: () => Promise<void>;
}

/** A channel for the target of a transfer, whom the carrier calls next to the call's far end. Shows why that takes a while. */
export async function reserveTransferChannel(deps: CallDeps, live: LiveCall): Promise<TransferChannel | "all-in-use"> {
  const { organisationId, callSid } = live;
  const connection = await deps.database.withTransaction({ organisationId }, (tx) => findConnectionOfCall(tx, callSid));
  const find = async () => connection && (await deps.carriers.ownById(organisationId, connection.id))?.connection;
  async function take(maxWaitMs: number): Promise<Channel | null> {
    // A carrier that was removed meanwhile has no known limits.
    const carrier = connection && { callsPerSecond: null, channels: null, ...(await find()), ...connection };
    return reserveChannel(deps.database, { organisationId, carrier, user: { seconds: maxSeconds }, maxWaitMs });
  }
  const isWanted = (): boolean => isLive(live.status);
  // The transfer goes on if this can't be stored, so that its channel is freed in the end.
  const show = (name: () => Promise<string | null>): Promise<unknown> =>
    live
      .inOrder(async () => changeLiveCall(deps, live, { waitsFor: await name() }))
      .catch((error: unknown) => deps.log.warn({ err: error, callSid }, "the wait for a transfer could not be shown"));
  const first = await take(patienceMs);
  const isShown = isWaitShown(first);
  if (isShown) await show(async () => (await find())?.label ?? null);
  try {
    const channel = await waitForFreeChannel(first, { isWanted, patienceMs, take });
    if (channel === null) return "all-in-use";
    const { free } = channel;
    const freeOrLog = () =>
      free().catch((error: unknown) => deps.log.warn({ err: error, callSid }, "a transfer's channel is freed later"));
    return { permit: await waitForTurn(channel, isWanted), free: freeOrLog };
  } finally {
    if (isShown && isWanted()) await show(async () => null);
  }
}

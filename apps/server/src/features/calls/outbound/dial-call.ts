import type { CarrierHangUpCause, CarrierLegEvent, DialRequest } from "@leadline/adapter-kit/carrier";
import type { CarrierRefusal } from "@leadline/adapter-kit/carrier-refusal";
import { isLive } from "@leadline/contract/call-state";
import { Problem } from "../../../http/problem.ts";
import { waitForTurn, type DialPermit } from "../../carriers/channels/dial-permits.ts";
import type { DiallingLeg } from "../../carriers/channels/dialling-carrier.ts";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import type { CallDeps } from "../call-deps.ts";
import { applyRoom } from "../in-call/apply-room.ts";
import { endCall } from "../in-call/end-call.ts";
import { followCarrierLeg } from "../in-call/follow-carrier-leg.ts";
import type { LiveCall } from "../live-calls.ts";
import { noNumberYet } from "./lacks-number.ts";
import { noteCarrierLeg } from "./note-carrier-leg.ts";
import { type NextCarrier, tryNextCarrier } from "./try-next-carrier.ts";
import { type Connection, reserveChannelOrEnd, waitForChannel } from "./wait-for-channel.ts";

export const carrierUnreachable = (): Problem =>
  new Problem("carrier-unreachable", "Your carrier can’t be reached, so nothing was dialled. Try again in a moment.");

interface DialOptions extends Pick<DialRequest, "to" | "callerId" | "verifiedNumbers" | "offer"> {
  via: CarrierInUse;
  /** The carrier would refuse the call, which goes to the next one. */
  lacksNumber: boolean;
  /** A test call: don't fall back to another carrier. */
  isTest?: boolean;
}
interface DialAttempt extends DialOptions {
  /** The caller ID shown through the first carrier. */
  wantedCallerId: string | null;
  /** How often it was placed again through this carrier. */
  retries: number;
  /** Carriers that it left only because their channels were in use. */
  busy: readonly Connection[];
  /** By performance.now(). Null until it waits. */
  waitsUntilMs: number | null;
}

/**
 * Connects the browser and dials. A call that can't be dialled is ended before the problem is thrown. If the carrier's
 * channels are all taken, returns now and dials later. It then takes the first channel that is free, of any carrier.
 */
export async function dialCall(deps: CallDeps, live: LiveCall, attempt: DialOptions): Promise<void> {
  if (live.connection) await joinBrowser(deps, live);
  await dialWhenFree(
    deps,
    live,
    { ...attempt, wantedCallerId: attempt.callerId, retries: 0, busy: [], waitsUntilMs: null },
    [],
  );
}

/** Carriers count new calls by the second. */
const retryAfterMs = 1_000;

/** The cause the carrier itself would give. */
const allChannelsInUse = { reason: "network-failure", sip: 503, q850: 34 } as const;

/** Nothing was dialled. */
const notDialled = { reason: "network-failure", sip: null, q850: null } as const;

async function dialWhenFree(
  deps: CallDeps,
  live: LiveCall,
  attempt: DialAttempt,
  tried: readonly string[],
): Promise<void> {
  const { connection } = attempt.via;
  if (attempt.lacksNumber) return passOn(deps, live, attempt, tried);
  const channel = await reserveChannelOrEnd(deps, live, { connection, minMs: attempt.retries > 0 ? retryAfterMs : 0 });
  const next =
    channel === null ? await tryNext(deps, live, { attempt, tried, cause: allChannelsInUse, refusal: null }) : null;
  if (next) return dialWhenFree(deps, live, { ...attempt, ...next, busy: withThis(attempt) }, next.tried);
  const { busy: others, waitsUntilMs: untilMs } = attempt;
  if (channel?.waitMs === 0 && untilMs === null)
    return dialVia(deps, live, { ...attempt, tried, permit: await waitForTurn(channel) });
  if (connection === null) throw new Error("The installation's carrier has no limits.");
  const { leaving } = await waitForChannel(deps, live, { connection, channel, others, untilMs });
  void leaving
    .then((left) =>
      "freed" in left
        ? moveToFreed(deps, live, { ...attempt, waitsUntilMs: left.untilMs }, { tried, freed: left.freed })
        : dialVia(deps, live, { ...attempt, tried, permit: left.permit }),
    )
    // The call has already ended with its reason.
    .catch((error: unknown) => deps.log.info({ err: error, callSid: live.callSid }, "a queued call was not placed"));
}

const withThis = ({ busy, via }: DialAttempt): readonly Connection[] =>
  via.connection ? [...busy, via.connection] : busy;

/** Another call may be faster: then this one waits on. */
async function moveToFreed(
  deps: CallDeps,
  live: LiveCall,
  attempt: DialAttempt,
  { tried, freed }: { tried: readonly string[]; freed: Connection },
): Promise<void> {
  const { refusal } = live;
  const isOther = ({ id }: Connection): boolean => id !== freed.id;
  const others = tried.filter((id) => id !== freed.id);
  const next = await tryNext(deps, live, { attempt, tried: others, cause: allChannelsInUse, refusal: null });
  if (!isLive(live.status)) return;
  if (next)
    return dialWhenFree(deps, live, { ...attempt, ...next, busy: withThis(attempt).filter(isOther) }, next.tried);
  // The organisation's limits or balance keep it from that carrier.
  live.refusal = refusal;
  return dialWhenFree(deps, live, { ...attempt, busy: attempt.busy.filter(isOther) }, tried);
}

async function passOn(deps: CallDeps, live: LiveCall, attempt: DialAttempt, tried: readonly string[]): Promise<void> {
  const { connection } = attempt.via;
  if (connection) live.refusal = noNumberYet(connection);
  const next = await tryNext(deps, live, { attempt, tried, cause: notDialled, refusal: null });
  await (next ? dialWhenFree(deps, live, { ...attempt, ...next }, next.tried) : endCall(deps, live, notDialled));
}

/** Null if the organisation has no further carrier. */
async function tryNext(
  deps: CallDeps,
  live: LiveCall,
  failed: { attempt: DialAttempt; tried: readonly string[]; cause: CarrierHangUpCause; refusal: CarrierRefusal | null },
): Promise<NextCarrier | null> {
  const { attempt, ...rest } = failed;
  const { to, callerId, wantedCallerId, via, retries, isTest = false } = attempt;
  try {
    return await tryNextCarrier(deps, live, { to, callerId, wantedCallerId, via, retries, isTest, ...rest });
  } catch (error) {
    deps.log.error({ err: error, callSid: live.callSid }, "the next carrier could not be tried");
    return null;
  }
}

interface PermittedAttempt extends DialAttempt {
  tried: readonly string[];
  /** Null: the call is over. */
  permit: DialPermit | null;
}

async function dialVia(deps: CallDeps, live: LiveCall, { tried, permit, ...attempt }: PermittedAttempt): Promise<void> {
  // The rep hung up while the call moved to another carrier or waited for a channel.
  if (permit === null || !isLive(live.status)) return;
  const { via, to, callerId, verifiedNumbers, offer } = attempt;
  const request = { to, callerId, offer, ...(verifiedNumbers && { verifiedNumbers }) };
  let refusal: CarrierRefusal | null = null;
  let isHeard = false;
  let isOver = false;
  const nextAfter = (cause: CarrierHangUpCause) => tryNext(deps, live, { attempt, tried, cause, refusal });
  const continueWith = (next: NextCarrier): Promise<void> =>
    dialWhenFree(deps, live, { ...attempt, ...next }, next.tried).catch((error: unknown) => {
      deps.log.info({ err: error, callSid: live.callSid }, "the next carrier could not be reached");
    });
  const continueOrEnd = async (event: CarrierLegEvent & { type: "ended" }): Promise<void> => {
    const next = await nextAfter(event.cause);
    await (next ? continueWith(next) : followCarrierLeg(deps, live, event));
  };
  const onEvent = (event: CarrierLegEvent): void => {
    if (event.type !== "ended" || isHeard) {
      isHeard = true;
      void followCarrierLeg(deps, live, event);
      return;
    }
    isOver = true;
    void continueOrEnd(event);
  };
  const onRefused = (given: CarrierRefusal): void => void (refusal = given);
  const onHeaders = noteCarrierLeg(deps, live, via.connection);
  let leg: DiallingLeg;
  try {
    const { callSid } = live;
    leg = await via.carrier.dial({ callSid, permit, ...request, onEvent, onRefused, onHeaders });
  } catch (error) {
    deps.log.error({ err: error, callSid: live.callSid }, "the carrier could not be reached");
    const next = await nextAfter(notDialled);
    if (next) return continueWith(next);
    await endCall(deps, live, notDialled);
    throw carrierUnreachable();
  }
  // The leg may have ended before dial() returned, and the call moved to the next carrier.
  if (isOver) return;
  live.leg = leg;
  // The rep hung up while the carrier was accepting the call.
  if (!isLive(live.status)) await leg.hangUp();
}

async function joinBrowser(deps: CallDeps, live: LiveCall): Promise<void> {
  try {
    await applyRoom(deps, live);
  } catch (error) {
    deps.log.warn({ err: error, callSid: live.callSid }, "the browser was lost before the call was dialled");
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
    throw new Problem("media-connection-gone", "This tab’s audio connection has ended. Open a new one.");
  }
}

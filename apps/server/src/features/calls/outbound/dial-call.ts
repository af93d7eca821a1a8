import type { CarrierHangUpCause, CarrierLeg, CarrierLegEvent, DialRequest } from "@leadline/adapter-kit/carrier";
import type { CarrierRefusal } from "@leadline/adapter-kit/carrier-refusal";
import { isLive } from "@leadline/contract/call-state";
import { Problem } from "../../../http/problem.ts";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import type { CallDeps } from "../call-deps.ts";
import { applyRoom } from "../in-call/apply-room.ts";
import { endCall } from "../in-call/end-call.ts";
import { followCarrierLeg } from "../in-call/follow-carrier-leg.ts";
import type { LiveCall } from "../live-calls.ts";
import { type NextCarrier, tryNextCarrier } from "./try-next-carrier.ts";
import { waitForLine } from "./wait-for-line.ts";

export const carrierUnreachable = (): Problem =>
  new Problem("carrier-unreachable", "Your carrier can’t be reached, so nothing was dialled. Try again in a moment.");

interface Far extends Pick<DialRequest, "to" | "callerId" | "proven" | "offer"> {
  dialled: CarrierInUse;
  /** An owner tries this carrier: no other one stands in for it. */
  isTest?: boolean;
}

/**
 * Joins the browser to the carrier's leg and dials; a call that cannot be is ended before the problem is told. Where its carrier's
 * lines are taken it is dialled later, and its person is answered meanwhile.
 */
export async function dialCall(deps: CallDeps, live: LiveCall, far: Far): Promise<void> {
  if (live.connection) await joinBrowser(deps, live);
  await dialWhenFree(deps, live, far, []);
}

async function dialWhenFree(deps: CallDeps, live: LiveCall, far: Far, tried: readonly string[]): Promise<void> {
  const waiting = await waitForLine(deps, live, far.dialled.connection);
  if (waiting === null) return place(deps, live, far, tried);
  void waiting.mayLeave
    .then((mayLeave) => (mayLeave ? place(deps, live, far, tried) : undefined))
    // The call has ended, and says why.
    .catch((error: unknown) =>
      deps.log.info({ err: error, callSid: live.callSid }, "a call that waited wasn't placed"),
    );
}

async function place(deps: CallDeps, live: LiveCall, far: Far, tried: readonly string[]): Promise<void> {
  const { dialled, isTest = false, ...request } = far;
  let refusal: CarrierRefusal | null = null;
  let isHeard = false;
  let isOver = false;
  const tryNext = (cause: CarrierHangUpCause) =>
    tryNextCarrier(deps, live, { to: far.to, dialled, tried, isTest, cause, refusal }).catch((error: unknown) => {
      deps.log.error({ err: error, callSid: live.callSid }, "the next carrier could not be tried");
      return null;
    });
  const goOn = (next: NextCarrier): Promise<void> =>
    dialWhenFree(deps, live, { ...far, ...next }, next.tried).catch((error: unknown) => {
      deps.log.info({ err: error, callSid: live.callSid }, "the next carrier could not be reached");
    });
  const goOnOrEnd = async (event: CarrierLegEvent & { type: "ended" }): Promise<void> => {
    const next = await tryNext(event.cause);
    await (next ? goOn(next) : followOrEnd(deps, live, event));
  };
  const onEvent = (event: CarrierLegEvent): void => {
    if (event.type !== "ended" || isHeard) {
      isHeard = true;
      void followOrEnd(deps, live, event);
      return;
    }
    isOver = true;
    void goOnOrEnd(event);
  };
  const onRefused = (given: CarrierRefusal): void => void (refusal = given);
  let leg: CarrierLeg;
  try {
    leg = await dialled.carrier.dial({ callSid: live.callSid, ...request, onEvent, onRefused });
  } catch (error) {
    deps.log.error({ err: error, callSid: live.callSid }, "the carrier could not be reached");
    const cause = { reason: "network-failure", sip: null, q850: null } as const;
    const next = await tryNext(cause);
    if (next) return goOn(next);
    await endCall(deps, live, cause);
    throw carrierUnreachable();
  }
  // It may have ended before this, and be with the next carrier by now.
  if (isOver) return;
  live.leg = leg;
  // Hung up while the carrier was still taking the call.
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

/** A call whose carrier's report cannot be followed is ended. */
export async function followOrEnd(deps: CallDeps, live: LiveCall, event: CarrierLegEvent): Promise<void> {
  try {
    await followCarrierLeg(deps, live, event);
  } catch (error) {
    deps.log.error({ err: error, callSid: live.callSid, event: event.type }, "a carrier's report was not followed");
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
  }
}

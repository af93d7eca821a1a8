import type { Carrier, CarrierLegEvent, DialRequest } from "@leadline/adapter-kit/carrier";
import { isLive } from "@leadline/contract/call-state";
import { Problem } from "../../../http/problem.ts";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import type { CallDeps } from "../call-deps.ts";
import { arrangeSound } from "../in-call/arrange-sound.ts";
import { endCall } from "../in-call/end-call.ts";
import { followCarrierLeg } from "../in-call/follow-carrier-leg.ts";
import type { LiveCall } from "../live-calls.ts";
import { waitForLine } from "./wait-for-line.ts";

export const carrierUnreachable = (): Problem =>
  new Problem("carrier-unreachable", "Your carrier can’t be reached, so nothing was dialled. Try again in a moment.");

type Far = Pick<DialRequest, "to" | "callerId" | "proven" | "offer"> & { carrier: Carrier };

/**
 * Joins the browser to the carrier's leg and dials; a call that cannot be is ended before the problem is told. Where its carrier's
 * lines are taken it is dialled later, and its person is answered meanwhile.
 */
export async function dialCall(
  deps: CallDeps,
  live: LiveCall,
  { connection, ...far }: Far & Pick<CarrierInUse, "connection">,
): Promise<void> {
  if (live.connection) await joinBrowser(deps, live);
  const waiting = await waitForLine(deps, live, connection);
  if (waiting === null) return place(deps, live, far);
  void waiting.mayLeave
    .then((mayLeave) => (mayLeave ? place(deps, live, far) : undefined))
    // The call has ended, and says why.
    .catch((error: unknown) =>
      deps.log.info({ err: error, callSid: live.callSid }, "a call that waited wasn't placed"),
    );
}

async function place(deps: CallDeps, live: LiveCall, { carrier, ...far }: Far): Promise<void> {
  const onEvent = (event: CarrierLegEvent): void => void followOrEnd(deps, live, event);
  try {
    live.leg = await carrier.dial({ callSid: live.callSid, ...far, onEvent });
  } catch (error) {
    deps.log.error({ err: error, callSid: live.callSid }, "the carrier could not be reached");
    await endCall(deps, live, { reason: "network-failure", sip: null, q850: null });
    throw carrierUnreachable();
  }
  // Hung up while the carrier was still taking the call.
  if (!isLive(live.status)) await live.leg.hangUp();
}

async function joinBrowser(deps: CallDeps, live: LiveCall): Promise<void> {
  try {
    await arrangeSound(deps, live);
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

import type { answerCall as endpoint } from "@leadline/contract/calls";
import { flagsOff } from "@leadline/contract/call-flags";
import { isLive } from "@leadline/contract/call-state";
import type { ResponseOf } from "@leadline/contract/endpoint";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { toProblem } from "../../media-connections/media-connections.ts";
import { holdActiveOrganisation } from "../../users/hold-active-organisation.ts";
import { type CallDeps, toCall } from "../call-deps.ts";
import { refuseSecondCall } from "../../lines/refuse-during-call.ts";
import { followCarrierLeg } from "../in-call/follow-carrier-leg.ts";
import { endCall } from "../in-call/end-call.ts";
import { callTaken, findRingingCall, givenUp } from "./find-ringing-call.ts";
import { openBrowserSide } from "../in-call/open-browser-side.ts";
import { roomOf } from "../in-call/room-of.ts";
import { takeRingingCall } from "./ringing-calls.table.ts";
import type { RingingCall } from "./ringing-calls.ts";
import { stopRinging } from "./stop-ringing.ts";
import { takeTransferredCall } from "./take-transferred-call.ts";
import { findSentCall } from "../in-call/sent-call.ts";

interface AnswerCall {
  caller: Member;
  callSid: string;
  media: { offer?: string | undefined; mediaConnectionId?: string | undefined };
}

/**
 * The first to answer gets the call: both sides are connected, the row is assigned to them, then the caller is
 * answered.
 */
export async function answerCall(deps: CallDeps, asked: AnswerCall): Promise<ResponseOf<typeof endpoint>> {
  const startedAtMs = performance.now();
  const { caller, callSid, media } = asked;
  const sent = findSentCall(deps, asked);
  if (sent) return takeTransferredCall(deps, { caller, media, sent });
  const ringing = await findRingingCall(deps, asked);
  if (ringing.state !== "ringing") throw callTaken();
  ringing.state = "taken";
  const joined = await join(deps, asked, ringing).catch(async (error: unknown) => {
    // Keep ringing for the others, unless the caller has hung up meanwhile or the time is over.
    ringing.state = "ringing";
    if (ringing.due) await stopRinging(deps, ringing, ringing.due);
    throw error;
  });
  const { browser, carrierLeg, revision } = joined;
  const { organisationId, carrierId } = ringing;
  const { userId } = caller;
  const { connection, answer } = browser;
  const { legId: carrierLegId, offer } = carrierLeg;
  const begun = { callSid, organisationId, userId, carrierId, carrierLegId, connection, startedAtMs };
  const live = deps.liveCalls.begin(begun);
  live.status = "ringing";
  deps.ringingCalls.forget(callSid);
  try {
    live.leg = await ringing.call.answer({ offer, onEvent: (event) => void followCarrierLeg(deps, live, event) });
  } catch (error) {
    deps.log.info({ err: error, callSid }, "a call was dropped while it was being answered");
    await endCall(deps, live, { reason: "hung-up-there", sip: 487, q850: 16 });
    throw givenUp();
  }
  // The rep hung up while the caller was being answered.
  if (!isLive(live.status)) await live.leg.hangUp();
  return { mediaConnectionId: connection.id, revision, ...(answer !== undefined && { answer }) };
}

/** Opens and connects both legs and assigns the row to the caller. If any step fails, all are undone. */
async function join(deps: CallDeps, { caller, callSid, media }: AnswerCall, ringing: RingingCall) {
  const browser = await openBrowserSide(deps, { caller, given: media });
  if (!browser) throw new Problem("media-connection-gone", "This tab’s audio connection has ended. Open a new one.");
  const { connection } = browser;
  const legs: string[] = browser.answer === undefined ? [] : [connection.legId];
  try {
    const carrierLeg = await deps.mediaPlane.openCarrierLeg({ browserLegId: connection.legId }).catch(toProblem);
    legs.push(carrierLeg.legId);
    const call = { ...flagsOff, legId: carrierLeg.legId, onHold: false, joinedWith: null };
    await deps.mediaPlane.apply(roomOf([call], connection.legId));
    await ringing.written;
    return { browser, carrierLeg, revision: await take(deps, caller, { callSid, mediaConnectionId: connection.id }) };
  } catch (error) {
    await Promise.all(legs.map((legId) => deps.mediaPlane.close(legId)));
    throw error;
  }
}

function take(deps: CallDeps, caller: Member, taken: { callSid: string; mediaConnectionId: string }): Promise<number> {
  const { userId } = caller;
  const organisationId = caller.organisation.id;
  return deps.database.withTransaction({ organisationId, userId }, async (tx) => {
    if (!(await holdActiveOrganisation(tx, { organisationId, userId })))
      throw new Problem("no-organisation", "You’ve just switched organisations. Try again.");
    const stored = await takeRingingCall(tx, { ...taken, userId });
    if (!stored) {
      await refuseSecondCall(tx, userId);
      throw givenUp();
    }
    await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, stored) });
    return stored.revision;
  });
}

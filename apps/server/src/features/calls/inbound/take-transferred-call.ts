import type { answerCall as endpoint } from "@leadline/contract/calls";
import { isLive } from "@leadline/contract/call-state";
import type { ResponseOf } from "@leadline/contract/endpoint";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { toProblem } from "../../media-connections/media-connections.ts";
import { holdActiveOrganisation } from "../../users/hold-active-organisation.ts";
import { applyRoom, moveAudio } from "../in-call/apply-room.ts";
import { type CallDeps, toCall } from "../call-deps.ts";
import { moveLastTransfer } from "../call-transfers.table.ts";
import { changeCall } from "../calls.table.ts";
import { callTaken } from "./find-ringing-call.ts";
import { refuseSecondCall } from "../../lines/refuse-during-call.ts";
import type { LiveCall, LiveTransfer } from "../live-calls.ts";
import { saveForRestart } from "../snapshots/save-for-restart.ts";
import { awaitAnswer, giveBack } from "../in-call/sent-call.ts";

interface TakeTransferredCall {
  caller: Member;
  media: { offer?: string | undefined; mediaConnectionId?: string | undefined };
  sent: { live: LiveCall; transfer: LiveTransfer };
}

/**
 * Moves the far leg to the browser of the teammate it was sent to, who takes over the call with its log entry, note and
 * cost.
 */
export async function takeTransferredCall(
  deps: CallDeps,
  { caller, media, sent: { live, transfer } }: TakeTransferredCall,
): Promise<ResponseOf<typeof endpoint>> {
  if (transfer.accepting) throw callTaken();
  transfer.accepting = true;
  const { carrierLegId, connection: before } = live;
  let opened: string | null = null;
  try {
    const { connection, answer } =
      media.offer === undefined
        ? { connection: deps.connections.find(media.mediaConnectionId ?? "", caller.userId), answer: undefined }
        : await deps.connections.open(caller.userId, media.offer, { carrierLegId });
    if (answer !== undefined) opened = connection.legId;
    await moveAudio(deps, [live], connection).catch(toProblem);
    const revision = await live.inOrder(() => write(deps, caller, { live, mediaConnectionId: connection.id }));
    clearTimeout(transfer.ringTimer);
    transfer.underWay = false;
    live.userId = caller.userId;
    await letThemTalk(deps, live);
    void saveForRestart(deps, live);
    return { mediaConnectionId: connection.id, revision, ...(answer !== undefined && { answer }) };
  } catch (error) {
    transfer.accepting = false;
    if (opened !== null) await deps.mediaPlane.close(opened);
    if (!isLive(live.status)) throw new Problem("call-ended", "The call has stopped ringing.");
    await moveAudio(deps, [live], before).catch(() => {});
    if (error instanceof Problem && error.code === "media-connection-gone") awaitAnswer(deps, live, transfer);
    else giveBack(deps, { live, transfer }, "network-failure");
    throw error;
  }
}

function write(
  deps: CallDeps,
  { userId }: Member,
  { live, mediaConnectionId }: { live: LiveCall; mediaConnectionId: string },
): Promise<number> {
  const { organisationId, callSid } = live;
  return deps.database.withTransaction({ organisationId, userId }, async (tx) => {
    if (!(await holdActiveOrganisation(tx, { organisationId, userId })))
      throw new Problem("no-organisation", "You’ve just switched organisations. Try again.");
    await refuseSecondCall(tx, userId);
    await moveLastTransfer(tx, callSid, { status: "taken" });
    const taken = { userId, mediaConnectionId, line: 1, muted: false, held: false } as const;
    const stored = await changeCall(tx, callSid, ["in-progress"], taken);
    if (!stored) throw new Problem("call-ended", "The call has stopped ringing.");
    await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, stored) });
    return stored.revision;
  });
}

/** The sender may have held or muted the call. That doesn't apply to the teammate. */
async function letThemTalk(deps: CallDeps, live: LiveCall): Promise<void> {
  const note = (error: unknown) =>
    deps.log.warn({ err: error, callSid: live.callSid }, "a transferred call could not be resumed or unmuted");
  const wasHeld = live.hold !== "off" || live.transfer?.holds === true;
  live.hold = "off";
  live.muted = false;
  if (live.transfer) live.transfer.holds = false;
  await applyRoom(deps, live).catch(note);
  if (wasHeld) live.leg?.setHold?.(false).catch(note);
}

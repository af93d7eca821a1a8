import { isLive } from "@leadline/contract/call-state";
import type { ResponseOf } from "@leadline/contract/endpoint";
import type { attachCallMedia as endpoint } from "@leadline/contract/calls";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { toProblem } from "../../media-connections/media-connections.ts";
import { moveAudio } from "./apply-room.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { findOwnLiveCall } from "./find-own-live-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { saveForRestart } from "../snapshots/save-for-restart.ts";
import { orReportDelay } from "../retry-write.ts";

interface AttachCallMedia {
  caller: Member;
  callSid: string;
  media: { offer?: string | undefined; mediaConnectionId?: string | undefined };
}

/**
 * Moves the audio of the call, and of the one on the other line, to the caller's connection. The former connection
 * stays open and silent.
 */
export async function attachCallMedia(
  deps: CallDeps,
  { caller, callSid, media }: AttachCallMedia,
): Promise<ResponseOf<typeof endpoint>> {
  const live = await findOwnLiveCall(deps, { caller, callSid });
  const { connection, answer } =
    media.offer === undefined
      ? { connection: deps.connections.find(media.mediaConnectionId ?? "", caller.userId), answer: undefined }
      : await deps.connections.open(caller.userId, media.offer, { carrierLegId: live.carrierLegId });
  try {
    const other = deps.liveCalls.findOtherLine(live);
    await moveAudio(deps, other ? [live, other] : [live], connection).catch(toProblem);
    const write = (call: LiveCall) =>
      call.inOrder(() => changeLiveCall(deps, call, { mediaConnectionId: connection.id }));
    const written = Promise.all([write(live), other && write(other)]).then(([changed]) => changed);
    const call = await orReportDelay(written, "The audio is here, but your other tabs don’t show it yet.");
    if (!call) throw new Problem("call-ended", "This call has ended.");
    for (const each of [live, other]) if (each) void saveForRestart(deps, each);
    return { mediaConnectionId: connection.id, revision: call.revision, ...(answer !== undefined && { answer }) };
  } catch (error) {
    if (answer !== undefined) await deps.mediaPlane.close(connection.legId);
    throw isLive(live.status) ? error : new Problem("call-ended", "This call has ended.");
  }
}

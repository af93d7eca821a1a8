import { isLive } from "@leadline/contract/call-state";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import type { CallDeps } from "./call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { findOwnLiveCall } from "./find-own-live-call.ts";

interface AttachCallMedia {
  caller: Member;
  callSid: string;
  media: { offer?: string | undefined; mediaConnectionId?: string | undefined };
}

/** Brings the call's sound to a connection of the caller's; the one that had it stays open and silent. */
export async function attachCallMedia(
  deps: CallDeps,
  { caller, callSid, media }: AttachCallMedia,
): Promise<{ mediaConnectionId: string; answer?: string }> {
  const live = await findOwnLiveCall(deps, { caller, callSid });
  const { connection, answer } =
    media.offer === undefined
      ? { connection: deps.connections.find(media.mediaConnectionId ?? "", caller.userId), answer: undefined }
      : await deps.connections.open(caller.userId, media.offer);
  await deps.mediaPlane.bridge(connection.legId, live.carrierLegId).catch((error: unknown) => {
    if (isLive(live.status)) throw error;
    throw new Problem("call-ended", "This call has ended.");
  });
  live.connection = connection;
  await live.inOrder(() => changeLiveCall(deps, live, { mediaConnectionId: connection.id }));
  return { mediaConnectionId: connection.id, ...(answer !== undefined && { answer }) };
}

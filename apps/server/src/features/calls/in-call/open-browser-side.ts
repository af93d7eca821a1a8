import type { Member } from "../../../http/route.ts";
import type { MediaConnection } from "../../media-connections/media-connections.ts";
import type { CallDeps } from "../call-deps.ts";

interface GivenMedia {
  offer?: string | undefined;
  mediaConnectionId?: string | undefined;
}

/** Returns the caller's named connection, or opens one for the offer. Null if neither is given. */
export async function openBrowserSide(
  { connections }: Pick<CallDeps, "connections">,
  { caller, given }: { caller: Member; given: GivenMedia },
): Promise<{ connection: MediaConnection; answer?: string } | null> {
  if (given.mediaConnectionId === undefined)
    return given.offer === undefined ? null : connections.open(caller.userId, given.offer);
  return { connection: connections.find(given.mediaConnectionId, caller.userId) };
}

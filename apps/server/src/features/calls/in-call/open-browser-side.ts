import type { Member } from "../../../http/route.ts";
import type { MediaConnection } from "../../media-connections/media-connections.ts";
import type { CallDeps } from "../call-deps.ts";

interface GivenMedia {
  offer?: string | undefined;
  mediaConnectionId?: string | undefined;
}

/** The caller's connection that is named, or a new one for the offer; null where neither is given. */
export async function openBrowserSide(
  { connections }: Pick<CallDeps, "connections">,
  { caller, given }: { caller: Member; given: GivenMedia },
): Promise<{ connection: MediaConnection; answer?: string } | null> {
  if (given.mediaConnectionId === undefined)
    return given.offer === undefined ? null : connections.open(caller.userId, given.offer);
  return { connection: connections.find(given.mediaConnectionId, caller.userId) };
}

import type { Carrier } from "@leadline/adapter-kit/carrier";
import type { Member } from "../../http/route.ts";
import { connectionGone, type MediaConnection } from "../media-connections/media-connections.ts";
import type { CallDeps } from "./call-deps.ts";

interface GivenMedia {
  offer?: string | undefined;
  mediaConnectionId?: string | undefined;
}

/** The caller's connection that is named, or a new one for the offer, with keys where the carrier wants them; null where neither is given. */
export async function openBrowserSide(
  { connections, mediaPlane }: Pick<CallDeps, "connections" | "mediaPlane">,
  { caller, given, carrier }: { caller: Member; given: GivenMedia; carrier: Carrier },
): Promise<{ connection: MediaConnection; answer?: string } | null> {
  const wantsKeys = carrier.wantsKeys?.() ?? false;
  if (given.mediaConnectionId === undefined)
    return given.offer === undefined ? null : connections.open(caller.userId, given.offer, { wantsKeys });
  const connection = connections.find(given.mediaConnectionId, caller.userId);
  if (wantsKeys && !mediaPlane.givesKeys(connection.legId)) throw connectionGone();
  return { connection };
}

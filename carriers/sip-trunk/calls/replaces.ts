import type { CarrierLeg } from "@leadline/adapter-kit/carrier";
import type { IncomingRequestMessage, IncomingResponseMessage, SessionDialog } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";

/** A leg of a trunk, as opposed to another carrier's. */
export interface ReplaceableLeg extends CarrierLeg {
  /**
   * A Refer-To with which someone on that trunk takes our place in this call; null if this call is on another trunk, or
   * its far end doesn't support Replaces.
   */
  replaceable(by: Trunk): string | null;
}

export const isReplaceable = (leg: CarrierLeg): leg is ReplaceableLeg => "replaceable" in leg;

export const supportsReplaces = (message: IncomingResponseMessage | IncomingRequestMessage): boolean =>
  /\breplaces\b/i.test(message.getHeaders("supported").join());

/** RFC 3891, section 3: the tags are named from the point of view of the far end that is called with them. */
export function referToReplacing({ callId, localTag, remoteTag, remoteTarget }: SessionDialog): string {
  const replaces = encodeURIComponent(`${callId};to-tag=${remoteTag};from-tag=${localTag}`);
  return `<${remoteTarget}?Replaces=${replaces}>`;
}

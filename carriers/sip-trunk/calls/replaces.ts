import type { CarrierLeg } from "@leadline/adapter-kit/carrier";
import type { IncomingRequestMessage, IncomingResponseMessage, SessionDialog } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";

/** A leg of a trunk's, as opposed to another carrier's. */
export interface ReplaceableLeg extends CarrierLeg {
  /**
   * A Refer-To by which somebody whom that trunk reaches takes our place in this call; null where this call is another trunk's,
   * or its far end has not said that it knows such a thing.
   */
  replaceable(by: Trunk): string | null;
}

export const isReplaceable = (leg: CarrierLeg): leg is ReplaceableLeg => "replaceable" in leg;

export const supportsReplaces = (message: IncomingResponseMessage | IncomingRequestMessage): boolean =>
  /\breplaces\b/i.test(message.getHeaders("supported").join());

/** RFC 3891, section 3: the tags are named as whoever is called with them knows them. */
export function referToReplacing({ callId, localTag, remoteTag, remoteTarget }: SessionDialog): string {
  const replaces = encodeURIComponent(`${callId};to-tag=${remoteTag};from-tag=${localTag}`);
  return `<${remoteTarget}?Replaces=${replaces}>`;
}

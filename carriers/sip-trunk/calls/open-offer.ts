import type { IncomingRequestMessage, SessionDialog } from "sip.js/lib/core/index.js";

import { sdpIn } from "../signalling/session-body.ts";

/**
 * Whether an UPDATE's offer meets one of ours (RFC 3311, section 5.2); of two INVITEs the library knows that itself. theirs: what the
 * far end has said of its side, empty while it owes an answer to the offer in our answer to its call.
 */
export const crossesOurs = (
  request: IncomingRequestMessage,
  { dialog, theirs }: { dialog: SessionDialog | null; theirs: string },
): boolean =>
  request.method === "UPDATE" && sdpIn(request) !== "" && (theirs === "" || (dialog !== null && hasOpenOffer(dialog)));

/** A re-INVITE of ours is unanswered, or our answer to an empty one, which made an offer, is unacknowledged. */
function hasOpenOffer({ reinviteUserAgentClient: ours, reinviteUserAgentServer: theirs }: SessionDialog): boolean {
  return ours !== undefined || (theirs !== undefined && sdpIn(theirs.message) === "");
}

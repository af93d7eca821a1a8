import type { IncomingRequestMessage, SessionDialog } from "sip.js/lib/core/index.js";

import { sdpIn } from "../signalling/session-body.ts";

/**
 * Whether an UPDATE's offer crosses one of ours (RFC 3311, section 5.2); the library itself detects this for two
 * INVITEs. theirs: the far end's description, empty while it owes an answer to the offer in our 200.
 */
export const crossesOurs = (
  request: IncomingRequestMessage,
  { dialog, theirs }: { dialog: SessionDialog | null; theirs: string },
): boolean =>
  request.method === "UPDATE" && sdpIn(request) !== "" && (theirs === "" || (dialog !== null && hasOpenOffer(dialog)));

/** Our re-INVITE is unanswered, or our answer to an empty one, which contains an offer, is unacknowledged. */
function hasOpenOffer({ reinviteUserAgentClient: ours, reinviteUserAgentServer: theirs }: SessionDialog): boolean {
  return ours !== undefined || (theirs !== undefined && sdpIn(theirs.message) === "");
}

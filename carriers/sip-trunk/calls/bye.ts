import type { HangUpNotice } from "@leadline/adapter-kit/carrier";
import type { Session } from "sip.js/lib/core/index.js";

import { t1Ms } from "../transport/retransmissions.ts";
import { reasonHeader } from "./reason.ts";

/** RFC 3261, section 13.3.1.4. */
const unacknowledgedMs = 64 * t1Ms;

/** Ends a dialog with BYE as soon as possible: the called side must wait for the ACK (section 15). */
export function createBye(session: Session, onUnacknowledged: () => void) {
  let owed: { why: HangUpNotice | undefined } | null = null;
  let awaited: NodeJS.Timeout | undefined;

  /** Resolves once the far end has responded, or immediately if BYE can't be sent yet. */
  function send(why?: HangUpNotice): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = (): void => resolve();
    try {
      session.bye({ onAccept: done, onReject: done, onRedirect: done }, { extraHeaders: [reasonHeader(why)] });
      owed = null;
    } catch {
      owed = { why };
      resolve();
    }
    return promise;
  }

  return {
    send,
    sendOwed: (): void => void (owed !== null && send(owed.why)),
    /** Our answer to a far end's change must be acknowledged too. */
    awaitAcknowledgement(): void {
      clearTimeout(awaited);
      awaited = setTimeout(onUnacknowledged, unacknowledgedMs);
    },
    stopAwaiting: (): void => clearTimeout(awaited),
  };
}

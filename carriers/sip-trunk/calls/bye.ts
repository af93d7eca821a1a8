import type { Session } from "sip.js/lib/core/index.js";

import { t1Ms } from "../transport/retransmissions.ts";

const reasons = {
  cleared: 'Reason: Q.850;cause=16;text="Normal call clearing"',
  lost: 'Reason: Q.850;cause=102;text="Recovery on timer expiry"',
} as const;
/** RFC 3261, section 13.3.1.4. */
const unacknowledgedMs = 64 * t1Ms;

/** Ends a dialog by BYE as soon as that may be: whoever was called must wait for the acknowledgement (section 15). */
export function createBye(session: Session, onUnacknowledged: () => void) {
  let owed: keyof typeof reasons | null = null;
  let awaited: NodeJS.Timeout | undefined;

  /** Resolves once the far end has answered, or if it can't be sent yet. */
  function send(why: keyof typeof reasons): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = (): void => resolve();
    try {
      session.bye({ onAccept: done, onReject: done, onRedirect: done }, { extraHeaders: [reasons[why]] });
      owed = null;
    } catch {
      owed = why;
      resolve();
    }
    return promise;
  }

  return {
    send,
    sendOwed: (): void => void (owed !== null && send(owed)),
    /** Our answer to a change of the far end's is to be acknowledged too. */
    awaitAcknowledgement(): void {
      clearTimeout(awaited);
      awaited = setTimeout(onUnacknowledged, unacknowledgedMs);
    },
    stopAwaiting: (): void => clearTimeout(awaited),
  };
}

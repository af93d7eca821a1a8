import { setTimeout as sleep } from "node:timers/promises";

import type { CarrierHangUpCause, HangUpNotice } from "@leadline/adapter-kit/carrier";
import type { Session } from "sip.js/lib/core/index.js";

import { createBye } from "./bye.ts";
import { lost } from "./cause-of.ts";
import type { EstablishOptions } from "./established-call.ts";
import { notices } from "./reason.ts";

const acknowledgedWithinMs = 2_000;
const byeAnsweredWithinMs = 1_000;

interface CallEndOptions extends Pick<EstablishOptions, "weAre" | "finish"> {
  /** Called once, however the call ended. */
  onClose: () => void;
}

/** The end of an answered call: the side that ends it first determines the cause. */
export function createCallEnd(session: Session, { weAre, finish, onClose }: CallEndOptions) {
  let over = false;
  const byes = createBye(session, () => endWithBye(lost));
  const { promise: acknowledgement, resolve: acknowledged } = Promise.withResolvers<void>();

  function close(): void {
    over = true;
    byes.stopAwaiting();
    onClose();
  }

  /** The far end has ended the call. */
  function end(cause: CarrierHangUpCause): void {
    if (over) return;
    close();
    finish(cause);
  }

  /** The far end may be unreachable, but the carrier bills until it gets a BYE. */
  function endWithBye(cause: CarrierHangUpCause): void {
    if (over) return;
    close();
    void byes.send(notices.lost);
    finish(cause);
  }

  return {
    isOver: (): boolean => over,
    end,
    endWithBye,
    async bye(why?: HangUpNotice): Promise<void> {
      if (over) return;
      close();
      // The called side may not end the call before the caller has acknowledged the answer (RFC 3261, section 15).
      if (weAre === "uas")
        await Promise.race([acknowledgement, sleep(acknowledgedWithinMs, undefined, { ref: false })]);
      // Don't wait for a silent far end: the BYE is retransmitted in the background.
      await Promise.race([byes.send(why), sleep(byeAnsweredWithinMs, undefined, { ref: false })]);
    },
    /** Sends nothing to the far end. */
    leave: close,
    /** Our answer, to the call or to a change, must be acknowledged. */
    awaitAcknowledgement: byes.awaitAcknowledgement,
    acknowledged(): void {
      acknowledged();
      byes.stopAwaiting();
      byes.sendOwed();
    },
    unacknowledged(): void {
      byes.sendOwed();
      endWithBye(lost);
    },
  };
}

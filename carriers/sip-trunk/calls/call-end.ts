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
  /** Once, however the call ended. */
  onClose: () => void;
}

/** The end of an answered call: whichever side is first counts. */
export function createCallEnd(session: Session, { weAre, finish, onClose }: CallEndOptions) {
  let over = false;
  const byes = createBye(session, () => endWithBye(lost));
  const { promise: acknowledgement, resolve: acknowledged } = Promise.withResolvers<void>();

  function close(): void {
    over = true;
    byes.stopAwaiting();
    onClose();
  }

  /** The far end has ended it. */
  function end(cause: CarrierHangUpCause): void {
    if (over) return;
    close();
    finish(cause);
  }

  /** The far end may hear nothing any more, but the carrier goes on billing until it's told. */
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
      // Who was called may not end the call before the caller has acknowledged the answer (RFC 3261, section 15).
      if (weAre === "uas")
        await Promise.race([acknowledgement, sleep(acknowledgedWithinMs, undefined, { ref: false })]);
      // Told is told: a far end that does not answer is asked again without anybody waiting.
      await Promise.race([byes.send(why), sleep(byeAnsweredWithinMs, undefined, { ref: false })]);
    },
    /** Nothing is said to the far end. */
    leave: close,
    /** An answer of ours, to the call or to a change of it, is to be acknowledged. */
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

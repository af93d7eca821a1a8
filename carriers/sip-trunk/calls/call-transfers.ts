import type { CarrierLeg } from "@leadline/adapter-kit/carrier";
import { type IncomingRequestMessage, type Session, SessionDialog } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import type { Abilities } from "./abilities.ts";
import { dialledAs } from "./caller-shown.ts";
import { isReplaceable } from "./replaces.ts";
import { startTransfer, type Transfer } from "./transfer.ts";

/** As long as an unanswered request is retransmitted (RFC 3261, section 17.1.2.2). */
const firstWordMs = 32_000;

interface CallTransfersOptions {
  abilities: Abilities;
  inOrder: (change: () => Promise<void>) => Promise<void>;
}

/** The transfers of one call, one at a time; the last one may outlive the call. */
export function createCallTransfers(trunk: Trunk, session: Session, { abilities, inOrder }: CallTransfersOptions) {
  let transfer: Transfer | null = null;

  /**
   * To another call: possible if the far end supports REFER and the other one supports Replaces (RFC 5589, section 7).
   */
  function referToOf(to: string | CarrierLeg): string | null {
    if (typeof to === "string") return `<${trunk.uriOf(dialledAs(trunk.settings.numberFormat, to))}>`;
    return abilities.takes("REFER") && isReplaceable(to) ? to.replaceable(trunk) : null;
  }

  return {
    ask({ to, onEvent }: Parameters<NonNullable<CarrierLeg["transfer"]>>[0]): void {
      const refuse = (reason: "not-supported" | "transfer-refused"): void =>
        onEvent({ type: "refused", why: { reason, sip: null } });
      const referTo = referToOf(to);
      if (referTo === null) return refuse("not-supported");
      // After the hold that precedes it.
      inOrder(async () => {
        const ringMs = trunk.settings.ringSeconds * 1000;
        transfer?.stop();
        transfer = startTransfer(session, {
          headers: [`Refer-To: ${referTo}`, `Referred-By: <${trunk.accountUri}>`, trunk.core.contactHeader],
          patienceMs: { first: Math.min(firstWordMs, ringMs), last: ringMs },
          onEvent,
        });
      }).catch(() => refuse("transfer-refused"));
    },
    hear: (notify: IncomingRequestMessage): void => transfer?.hear(notify),
    /** The call is over: the transferred party continues without us, and we still report how the transfer ends. */
    outliveCall(): void {
      if (!transfer || !(session instanceof SessionDialog)) return;
      const { id } = session;
      trunk.core.afterCalls.set(id, transfer.hear);
      void transfer.settled.then(() => trunk.core.afterCalls.delete(id));
    },
  };
}

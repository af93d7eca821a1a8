import type { CarrierTransferEvent, CarrierTransferRefusal } from "@leadline/adapter-kit/carrier";
import type { IncomingRequestMessage, IncomingResponseMessage, Session } from "sip.js/lib/core/index.js";

import { causeOfRefusal } from "./cause-of.ts";

/**
 * A REFER that is answered with one of these isn't supported by the far end or the trunk (RFC 3515, section 2.4.2; RFC
 * 3261, section 21).
 */
const unsupportedStatuses = new Set([405, 415, 416, 420, 489, 501]);

/** How long an unknown result may still be reported. */
const lateWordMs = 32_000;

export interface Transfer {
  /** Handles a NOTIFY in the call's dialog. */
  hear(notify: IncomingRequestMessage): void;
  /** Resolves once no further NOTIFY is expected. */
  settled: Promise<void>;
  /** Another transfer was requested: reports nothing more. */
  stop(): void;
}

interface TransferOptions {
  /** Refer-To, Referred-By and Contact. */
  headers: string[];
  /** How long the far end may take for the first report, and then, during ringing, for the last. */
  patienceMs: { first: number; last: number };
  onEvent: (event: CarrierTransferEvent) => void;
}

/**
 * Asks the far end by REFER to call someone in our place, and follows the result by its NOTIFYs (RFC 3515; RFC 5589,
 * section 6.1). A far end that announces no NOTIFY (RFC 4488), or sends none, has only said that it will try.
 */
export function startTransfer(session: Session, { headers, patienceMs, onEvent }: TransferOptions): Transfer {
  let told: CarrierTransferEvent["type"] | "nothing more" | null = null;
  let timer: NodeJS.Timeout | null = null;
  const { promise: settled, resolve: over } = Promise.withResolvers<void>();

  function settle(event: CarrierTransferEvent): void {
    const mayFollow = told === null || told === "ringing" || (told === "unknown" && event.type === "taken");
    if (!mayFollow) return;
    told = event.type;
    if (event.type === "unknown") waitFor(lateWordMs, over);
    else if (event.type !== "ringing") stopWaiting();
    onEvent(event);
  }
  const refuse = (reason: CarrierTransferRefusal["reason"], sip: number | null): void =>
    settle({ type: "refused", why: { reason, sip } });

  function waitFor(ms: number, then: () => void): void {
    if (timer) clearTimeout(timer);
    timer = setTimeout(then, ms).unref();
  }
  const wait = (ms: number): void => waitFor(ms, () => settle({ type: "unknown" }));

  function stopWaiting(): void {
    if (timer) clearTimeout(timer);
    over();
  }

  const refer = session.refer(
    {
      onAccept: () => void (told === null && wait(patienceMs.first)),
      onRedirect: ({ message }) => refuse("transfer-refused", message.statusCode ?? null),
      onReject: ({ message }) => refuse(...whyRefused(message)),
    },
    { extraHeaders: headers },
  );

  return {
    settled,
    hear(notify) {
      const id = /^refer\b.*;\s*id\s*=\s*(\d+)/i.exec(notify.getHeader("event") ?? "")?.[1];
      // From an earlier transfer.
      if (id !== undefined && Number(id) !== refer.message.cseq) return;
      const status = Number(/^SIP\/2\.0 (\d{3})\b/i.exec(notify.body)?.[1] ?? 100);
      if (status >= 300) return refuse(whyNotTaken(status), status);
      if (status >= 200) return settle({ type: "taken" });
      if (/^\s*terminated\b/i.test(notify.getHeader("subscription-state") ?? "")) return settle({ type: "unknown" });
      if (told === null) wait(patienceMs.last);
      if (status > 100) settle({ type: "ringing" });
    },
    stop() {
      told = "nothing more";
      stopWaiting();
    },
  };
}

function whyNotTaken(status: number): CarrierTransferRefusal["reason"] {
  const { reason } = causeOfRefusal(status);
  return reason === "redirected" ? "network-failure" : reason;
}

/** A response without a Via was created by the library: nothing was received. */
function whyRefused(message: IncomingResponseMessage): [CarrierTransferRefusal["reason"], number | null] {
  const status = message.statusCode ?? 500;
  if (!message.hasHeader("via")) return ["unanswered", null];
  return [unsupportedStatuses.has(status) ? "not-supported" : "transfer-refused", status];
}

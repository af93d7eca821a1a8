import { randomInt } from "node:crypto";

import type { IncomingInviteRequest, IncomingPrackRequest } from "sip.js/lib/core/index.js";

import { createRetransmissions, t1Ms } from "../transport/retransmissions.ts";

const unacknowledgedMs = 64 * t1Ms;
const key = "180";

export interface RingingOptions {
  send: (response: string) => Promise<void>;
  /** The caller has given up with a BYE, as for an answered call (RFC 3261, section 15). */
  onBye: () => void;
  /** No PRACK arrived: the path back to the caller is broken (RFC 3262, section 3). */
  onUnacknowledged: () => void;
}

/** Sends ringing to the caller: reliably if it supports that (RFC 3262), repeated until it is acknowledged. */
export function createRinging(request: IncomingInviteRequest, options: RingingOptions) {
  const { message } = request;
  const names = (header: string): boolean => /\b100rel\b/i.test(message.getHeader(header) ?? "");
  // The first reliable response must contain an answer or an offer (section 5): for a call that leaves the offer to us
  // there is neither yet.
  const isReliable = message.body !== "" && (names("require") || names("supported"));
  const repeats = createRetransmissions();
  let unacknowledged: { rseq: number; lost: NodeJS.Timeout } | null = null;
  let rung = false;

  function stop(): void {
    repeats.stopAll();
    clearTimeout(unacknowledged?.lost);
  }

  function answerPrack(prack: IncomingPrackRequest): void {
    const [rseq, cseq, method] = (prack.message.getHeader("rack") ?? "").trim().split(/\s+/);
    const isOurs = Number(rseq) === unacknowledged?.rseq && Number(cseq) === message.cseq && method === "INVITE";
    if (!unacknowledged || !isOurs) return void prack.reject({ statusCode: 481 });
    stop();
    unacknowledged = null;
    // The description is negotiated with the answer.
    if (prack.message.body === "") prack.accept();
    else prack.reject({ statusCode: 488 });
  }

  return {
    ring(): void {
      if (isReliable && rung) return;
      if (!isReliable && names("require")) return;
      rung = true;
      const rseq = randomInt(1, 2 ** 31);
      const extraHeaders = isReliable ? ["Require: 100rel", `RSeq: ${rseq}`] : [];
      const told = request.progress({ statusCode: 180, extraHeaders });
      told.session.delegate = {
        onPrack: answerPrack,
        onBye(bye) {
          bye.accept();
          options.onBye();
        },
      };
      if (!isReliable) return;
      // A caller that only supports it may not use it after all: it is still ringing there, and the call may be answered.
      const lost = names("require") ? options.onUnacknowledged : () => {};
      unacknowledged = { rseq, lost: setTimeout(lost, unacknowledgedMs) };
      repeats.start(key, { uncapped: true, resend: () => void options.send(told.message).catch(() => {}) });
    },
    /** Also after the call was answered. */
    answerPrack,
    stop,
  };
}

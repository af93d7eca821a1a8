import type { HangUpNotice } from "@leadline/adapter-kit/carrier";
import type {
  IncomingResponseMessage,
  OutgoingInviteRequest,
  OutgoingInviteRequestDelegate,
  OutgoingRequestMessage,
} from "sip.js/lib/core/index.js";

import type { SipTarget } from "../transport/sip-target.ts";
import type { Trunk } from "../trunk.ts";
import { awaitFirstWord } from "./first-word.ts";
import { type InviteEvent, type InvitePhase, nextPhase } from "./invite-phase.ts";
import { reasonValue } from "./reason.ts";

type Response<Kind extends "onProgress" | "onAccept"> = Parameters<NonNullable<OutgoingInviteRequestDelegate[Kind]>>[0];
export type ProgressResponse = Response<"onProgress">;
export type AcceptResponse = Response<"onAccept">;

export interface Refusal {
  message: IncomingResponseMessage;
  /** Made up by the library: nothing came back. */
  isSilent: boolean;
  /** How far the INVITE had come. */
  phase: InvitePhase;
}

export interface InviteOptions {
  target: SipTarget;
  /** No other target is left to be tried. */
  isLast: boolean;
  /** Whether the call may still be answered; false once its leg is over. */
  isWanted: () => boolean;
  /** The target has said nothing for too long. */
  onSilent: () => void;
  /** Any 1xx but 100. */
  onProgress: (response: ProgressResponse) => void;
  /** Acknowledged already; once for each callee behind a forking proxy, and also of an INVITE that was abandoned. */
  onAccept: (response: AcceptResponse, options: { isOpen: boolean }) => void;
  onRedirect: (response: IncomingResponseMessage) => void;
  onRefuse: (refusal: Refusal) => void;
  /** The far end has had its last word, wanted or not. */
  onFinal: () => void;
}

export interface Invite {
  /** As soon as that may be: once the target has said anything (RFC 3261, section 9.1). */
  cancel(why?: HangUpNotice): void;
  /** Nobody waits for the target's first word any longer. */
  stopWaiting(): void;
}

/** One INVITE to one target, as far as that target's final word. */
export function sendInvite(trunk: Trunk, message: OutgoingRequestMessage, options: InviteOptions): Invite {
  const { target, isLast, isWanted } = options;
  const stopWaiting = awaitFirstWord(trunk, target, { isLast, onSilent: options.onSilent });
  let phase: InvitePhase = "calling";
  let cancelled: { branch: string | undefined; why: HangUpNotice | undefined } | undefined;
  const isOpen = (): boolean => phase !== "refused" && phase !== "abandoned" && isWanted();

  function advance(event: InviteEvent): void {
    phase = nextPhase(phase, event);
    stopWaiting();
  }

  function hear(event: InviteEvent): void {
    advance(event);
    trunk.targets.note(target, "answered");
  }

  /** Once for each time that it is sent: a challenge that comes late has the library send it anew. */
  function cancel(why = cancelled?.why): void {
    advance("abandon");
    if (phase !== "abandoned" || cancelled?.branch === message.branch) return;
    cancelled = { branch: message.branch, why };
    invite.cancel(reasonValue(why));
  }

  const invite: OutgoingInviteRequest = trunk.core.invite(message, {
    onTrying: () => (isOpen() ? hear("trying") : cancel()),
    onProgress(progress) {
      acknowledgeProgress(progress);
      if (!isOpen()) return cancel();
      hear("progress");
      options.onProgress(progress);
    },
    onAccept(accepted) {
      accepted.ack();
      options.onFinal();
      const open = isOpen();
      if (open) hear("accept");
      options.onAccept(accepted, { isOpen: open });
    },
    onRedirect({ message: redirected }) {
      options.onFinal();
      if (!isOpen()) return;
      hear("refuse");
      options.onRedirect(redirected);
    },
    onReject({ message: rejected }) {
      options.onFinal();
      // A response of the library's own has no Via.
      const isSilent = !rejected.hasHeader("via");
      if (isSilent) trunk.targets.note(target, "silent");
      if (!isOpen()) return;
      const refusal = { message: rejected, isSilent, phase };
      advance("refuse");
      options.onRefuse(refusal);
    },
  });
  return { cancel, stopWaiting };
}

/** RFC 3262, section 4. */
function acknowledgeProgress({ message, prack }: ProgressResponse): void {
  const rseq = message.getHeader("rseq");
  if (rseq === undefined || !/\b100rel\b/i.test(message.getHeader("require") ?? "")) return;
  prack({ extraHeaders: [`RAck: ${rseq} ${message.cseq} INVITE`] });
}

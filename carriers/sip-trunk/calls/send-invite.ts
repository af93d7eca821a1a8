import type { HangUpNotice } from "@leadline/adapter-kit/carrier";
import type {
  IncomingResponseMessage,
  OutgoingInviteRequest,
  OutgoingInviteRequestDelegate,
  OutgoingRequestMessage,
} from "sip.js/lib/core/index.js";

import type { SipTarget } from "../transport/sip-target.ts";
import type { Trunk } from "../trunk.ts";
import { awaitFirstWord } from "./first-response.ts";
import { type InviteEvent, type InvitePhase, nextPhase } from "./invite-phase.ts";
import { reasonValue } from "./reason.ts";

type Response<Kind extends "onProgress" | "onAccept"> = Parameters<NonNullable<OutgoingInviteRequestDelegate[Kind]>>[0];
export type ProgressResponse = Response<"onProgress">;
export type AcceptResponse = Response<"onAccept">;

export interface Refusal {
  message: IncomingResponseMessage;
  /** Created by the library: nothing was received. */
  isSilent: boolean;
  /** The phase that the INVITE had reached. */
  phase: InvitePhase;
}

export interface InviteOptions {
  target: SipTarget;
  /** No other target is left. */
  isLast: boolean;
  /** Whether the call may still be answered; false once its leg is over. */
  isWanted: () => boolean;
  /** The target has been silent for too long. */
  onSilent: () => void;
  /** Any that was received, except 100. */
  onResponse: (response: IncomingResponseMessage) => void;
  /** Any 1xx except 100. */
  onProgress: (response: ProgressResponse) => void;
  /** Already acknowledged; called once per callee behind a forking proxy, even for an abandoned INVITE. */
  onAccept: (response: AcceptResponse, options: { isOpen: boolean }) => void;
  onRedirect: (response: IncomingResponseMessage) => void;
  onRefuse: (refusal: Refusal) => void;
  /** The final response has arrived, whether it is still wanted or not. */
  onFinal: () => void;
}

export interface Invite {
  /** As soon as possible: once the target has responded at all (RFC 3261, section 9.1). */
  cancel(why?: HangUpNotice): void;
  /** Stops waiting for the target's first response. */
  stopWaiting(): void;
}

/** Sends one INVITE to one target and handles its responses up to the final one. */
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

  /** Once per transmission: after a late challenge, the library sends the INVITE again. */
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
      options.onResponse(progress.message);
      if (!isOpen()) return cancel();
      hear("progress");
      options.onProgress(progress);
    },
    onAccept(accepted) {
      accepted.ack();
      options.onResponse(accepted.message);
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
      // A response created by the library has no Via.
      const isSilent = !rejected.hasHeader("via");
      if (isSilent) trunk.targets.note(target, "silent");
      else options.onResponse(rejected);
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

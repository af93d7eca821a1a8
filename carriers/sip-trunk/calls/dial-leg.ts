import type { DialRequest, HangUpNotice } from "@leadline/adapter-kit/carrier";
import { type IncomingResponseMessage, type OutgoingRequestMessage, SessionDialog } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import { afterRefusal } from "./after-refusal.ts";
import { causeOfRefusal, notEncrypted, unanswered } from "./cause-of.ts";
import { createEarlyMedia } from "./early-media.ts";
import { establish } from "./established.ts";
import { type Hop, hopsOf, type Tried } from "./hops.ts";
import { notices, reasonHeader } from "./reason.ts";
import { ownHeaders } from "./own-headers.ts";
import { toRefusal } from "./to-refusal.ts";
import { redirectedTo } from "./redirected-to.ts";
import { type AcceptResponse, type Invite, type ProgressResponse, type Refusal, sendInvite } from "./send-invite.ts";
import { sdpIn } from "../signalling/session-body.ts";
import { createLocalDescription } from "./session-description.ts";
import { createTrunkLeg, type LegInProgress, type TrunkLeg } from "./trunk-leg.ts";
import { writeInvite } from "./write-invite.ts";

/** Per call, so that a carrier can't redirect it in circles. */
const maxRedirects = 5;

/** An INVITE as sent, and the hops that remain if it fails. */
interface Attempt {
  hop: Hop;
  rest: readonly Hop[];
  tried: Tried;
  message: OutgoingRequestMessage;
  asked: { sessionSeconds: number; sealing: Hop["sealing"] };
}

/** Tries the trunk's targets one after the other until one responds. */
export async function dialLeg(trunk: Trunk, request: DialRequest, onOver: () => void): Promise<TrunkLeg> {
  const all = await hopsOf(trunk, request.server);
  if (all.length === 0) throw new Error("The trunk has no address.");
  const local = createLocalDescription(request.offer, trunk.settings.codecs);
  const [first, ...others] = all.flatMap((hop) => usableHop(hop, local));
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  const callIds = new Set<string>();
  let invite: Invite | null = null;
  let peer: string | null = null;
  let redirects = 0;
  const ringing = setTimeout(() => {
    cancel(notices.noAnswer);
    leg.finish(causeOfRefusal(480));
  }, trunk.settings.ringSeconds * 1000);
  const leg = createTrunkLeg(trunk, {
    peer: () => peer,
    onEvent: request.onEvent,
    unanswered: { cancel, settled },
    onOver() {
      clearTimeout(ringing);
      invite?.stopWaiting();
      for (const callId of callIds) trunk.transport.forgetAim(callId);
      onOver();
    },
  });
  const early = createEarlyMedia(trunk, local, leg.emit);

  function cancel(why?: HangUpNotice): void {
    invite?.cancel(why);
    invite = null;
  }

  function attempt(hop: Hop, rest: readonly Hop[], tried: Tried = {}): void {
    const sent: Attempt = { hop, rest, tried, ...writeInvite(trunk, request, { hop, tried, local }) };
    peer = hop.target.address;
    early.forget();
    callIds.add(sent.message.callId);
    invite = sendInvite(trunk, sent.message, {
      target: hop.target,
      isLast: rest.length === 0,
      isWanted: () => !leg.isOver(),
      onResponse: (message) => request.onHeaders?.(ownHeaders(message)),
      onProgress: onProgress,
      onAccept: (accepted, { isOpen }) => takeAnswer(sent, accepted, isOpen),
      onRedirect: (redirected) => follow(sent, redirected),
      onRefuse: (refusal) => onRefusal(sent, refusal),
      onFinal: () => leg.isOver() && settle(),
      onSilent() {
        if (tryNext(sent)) return;
        cancel(notices.lost);
        leg.finish(unanswered);
      },
    });
  }

  /** Retries the same call: the request was refused, not the call. */
  function tryAgain({ hop, rest, tried, message }: Attempt, changed: Tried): void {
    const { callId, fromTag, cseq } = message;
    redialIfAllowed(request, leg, () =>
      attempt(hop, rest, { ...tried, ...changed, as: { callId, fromTag, cseq: cseq + 1 } }),
    );
  }

  function tryNext({ rest, tried: { minSeconds } }: Attempt): boolean {
    const [next, ...further] = rest;
    if (!next) return false;
    cancel(notices.lost);
    redialIfAllowed(request, leg, () => attempt(next, further, minSeconds === undefined ? {} : { minSeconds }));
    return true;
  }

  function onProgress({ message, session }: ProgressResponse): void {
    if (session instanceof SessionDialog) trunk.updates.set(session, early.answerUpdate);
    if (message.statusCode === 180) leg.emit({ type: "ringing" });
    early.hear(sdpIn(message), message.toTag);
  }

  function takeAnswer({ hop, asked, tried }: Attempt, { message, session }: AcceptResponse, isOpen: boolean): void {
    const described = sdpIn(message);
    const answer = described === "" ? early.answerOf(message.toTag) : local.heard(described);
    // Answered while we were giving up, or by a second callee behind a forking proxy, or in no codec of ours.
    if (!isOpen || leg.isAnswered() || answer === null) {
      const why = leg.isAnswered() ? notices.notSelected : answer === null ? notices.noCommonCodec : undefined;
      session.bye(undefined, { extraHeaders: [reasonHeader(why)] });
      const cause = asked.sealing === "always" ? notEncrypted() : causeOfRefusal(488);
      return isOpen && !leg.isAnswered() ? leg.finish(cause) : undefined;
    }
    clearTimeout(ringing);
    const { emit, finish } = leg;
    const unusable = causeOfRefusal(488);
    const { minSeconds: minSessionSeconds = 0 } = tried;
    const given = { accepted: message, weAre: "uac", local, minSessionSeconds, answer, unusable } as const;
    leg.answered(establish(trunk, session, { ...given, emit, finish }), hop.target);
    emit({ type: "answered", answer });
  }

  function follow(sent: Attempt, redirected: IncomingResponseMessage): void {
    const from = { by: sent.hop.target, dialled: request.to };
    const next = redirects++ < maxRedirects ? redirectedTo(trunk, from, redirected) : null;
    if (!next) return leg.finish(causeOfRefusal(redirected.statusCode ?? 300, redirected.getHeader("reason")));
    const { target, uri, user } = next;
    tryAgain({ ...sent, hop: { ...sent.hop, target } }, { place: uri ? { user, uri } : { user } });
  }

  function onRefusal(sent: Attempt, refusal: Refusal): void {
    if (!refusal.isSilent) request.onRefused?.(toRefusal(refusal.message));
    const next = afterRefusal(refusal, sent.asked);
    if (next.step === "again") tryAgain(sent, next.changed);
    else if (next.step === "finish") leg.finish(next.cause);
    else if (!tryNext(sent)) leg.finish(next.orElse);
  }

  if (first) attempt(first, others);
  // By then the caller of this function has the leg.
  else setImmediate(() => leg.finish(notEncrypted()));
  return leg.port;
}

/** Each INVITE of the call counts as a new call at the carrier. */
function redialIfAllowed(request: DialRequest, leg: LegInProgress, send: () => void): void {
  if (!request.mayRedial) return send();
  request
    .mayRedial()
    .then((may) => !leg.isOver() && (may ? send() : leg.finish(unanswered)))
    .catch(() => leg.finish(unanswered));
}

const usableHop = (
  { sealing, ...hop }: Awaited<ReturnType<typeof hopsOf>>[number],
  { canBeSealed }: ReturnType<typeof createLocalDescription>,
): Hop[] => (sealing === null || (sealing === "always" && !canBeSealed) ? [] : [{ ...hop, sealing }]);

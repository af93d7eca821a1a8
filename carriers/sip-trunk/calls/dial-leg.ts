import { setTimeout as sleep } from "node:timers/promises";

import type { CarrierHangUpCause, CarrierLegEvent, DialRequest, HangUpNotice } from "@leadline/adapter-kit/carrier";
import { type OutgoingInviteRequest, SessionDialog } from "sip.js/lib/core/index.js";

import { askOptions } from "../keep-alive.ts";
import type { SipTarget } from "../transport/sip-target.ts";
import type { Trunk } from "../trunk.ts";
import { causeOfRefusal, isOfDescription, notEncrypted, unanswered } from "./cause-of.ts";
import { callerShown, dialledAs } from "./caller-shown.ts";
import { createEarlyMedia } from "./early-media.ts";
import { type Hop, hopsOf, type Tried } from "./hops.ts";
import { establish } from "./established.ts";
import type { Established } from "./established-call.ts";
import { tellWithPlacedAudio } from "./place-audio.ts";
import { notices, reasonHeader, reasonValue } from "./reason.ts";
import { redirectedTo } from "./redirected-to.ts";
import type { ReplaceableLeg } from "./replaces.ts";
import { sdpIn } from "../signalling/session-body.ts";
import { createLocalDescription } from "./session-description.ts";

/**
 * How long a target may say nothing at all before the next one is tried; less if it's known to be silent. The last one has
 * RFC 3261's 32 s, unless it's known to answer OPTIONS and doesn't any more, or nothing has come from there lately.
 */
const patienceMs = { usually: 6_000, whereSilent: 4_000, beforeAsking: 3_000, lastWhereSilent: 16_000 };
const settledWithinMs = 500;
/** Of one call: a carrier that sends it in circles is not followed for ever. */
const mostRedirects = 5;

export interface DialledLeg extends ReplaceableLeg {
  /** Hangs up and tells so: the carrier is closing. */
  end(cause: CarrierHangUpCause): Promise<void>;
}

/** Calls by way of the trunk's targets, one after the other, until one of them has said something. */
export async function dialLeg(trunk: Trunk, request: DialRequest, onOver: () => void): Promise<DialledLeg> {
  const hops = await hopsOf(trunk, request.server);
  if (hops.length === 0) throw new Error("The trunk has no address.");
  const local = createLocalDescription(request.offer, trunk.settings.codecs);
  const { settings, core } = trunk;
  let over = false;
  let talking: Established | null = null;
  /** The far end has had the last word on every INVITE of ours. */
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  let pending: { cancel(why?: HangUpNotice): void } | null = null;
  let answeredBy: SipTarget | null = null;
  let patience: NodeJS.Timeout | null = null;
  const callIds = new Set<string>();
  let redirects = 0;
  const ringing = setTimeout(() => {
    stop(notices.noAnswer);
    finish(causeOfRefusal(480));
  }, settings.ringSeconds * 1000);

  function tellNow(event: CarrierLegEvent): void {
    if (!over) request.onEvent(event);
  }
  let peer: string | null = null;
  const tell = tellWithPlacedAudio({
    ways: trunk,
    peer: () => peer,
    tell: tellNow,
    onRefused(cause) {
      if (over) return;
      if (talking) void talking.bye(notices.audioAddressRefused);
      else stop(notices.audioAddressRefused);
      finish(cause);
    },
  });

  const early = createEarlyMedia(trunk, local, tell);

  function finish(cause: CarrierHangUpCause): void {
    if (over) return;
    tellNow({ type: "ended", cause });
    close();
  }

  function close(): void {
    over = true;
    clearTimeout(ringing);
    if (patience) clearTimeout(patience);
    for (const callId of callIds) trunk.transport.forgetAim(callId);
    onOver();
  }

  /** An INVITE that nobody has answered is cancelled as soon as it may be: once its target has said anything (section 9.1). */
  function stop(why?: HangUpNotice): void {
    pending?.cancel(why);
    pending = null;
  }

  function attempt(hop: Hop, rest: readonly Hop[], tried: Tried = {}): void {
    const { leastSeconds = 0, inTheClear = false } = tried;
    const { target, ourAddress } = hop;
    peer = target.address;
    const caller = callerShown(trunk, request, hop);
    const sealing = inTheClear ? "never" : hop.sealing;
    local.reachedAt(ourAddress);
    local.seal(sealing, "RTP/SAVP");
    early.forget();
    const seconds = Math.max(settings.sessionSeconds, leastSeconds);
    const number = dialledAs(settings.numberFormat, request.to);
    const message = trunk.request("INVITE", target, {
      user: number,
      to: trunk.uriOf(number),
      ...caller.from,
      ...tried.place,
      ...tried.as,
      body: local.offer(),
    });
    message.extraHeaders.push(
      ...caller.headers,
      `Session-Expires: ${seconds}`,
      `Min-SE: ${Math.max(Math.min(90, settings.sessionSeconds), leastSeconds)}`,
    );
    callIds.add(message.callId);
    /** The same call once more: it was the request that was refused. */
    const again = (changed: Tried): Tried => {
      const { callId, fromTag, cseq } = message;
      return { ...tried, ...changed, as: { callId, fromTag, cseq: cseq + 1 } };
    };
    const beganMs = performance.now();
    let heard = false;
    let rings = false;
    let cancelled: { branch: string | undefined; why: HangUpNotice | undefined } | undefined;
    const isCurrent = (): boolean => !over && pending === current;
    /** Once for each time that it is sent: a challenge that comes late has the library send it anew. */
    function cancel(why = cancelled?.why): void {
      if (cancelled?.branch === message.branch) return;
      cancelled = { branch: message.branch, why };
      invite.cancel(reasonValue(why));
    }
    const current = { cancel };
    const tryNext = (): boolean => {
      const [next, ...further] = rest;
      if (!next) return false;
      stop(notices.lost);
      attempt(next, further, { leastSeconds });
      return true;
    };
    const hear = (): void => {
      heard = true;
      if (patience) clearTimeout(patience);
      trunk.targets.note(target, "answered");
    };

    const invite: OutgoingInviteRequest = core.invite(message, {
      onTrying: () => (isCurrent() ? hear() : cancel()),
      onProgress(progress) {
        const rseq = progress.message.getHeader("rseq");
        const required = progress.message.getHeader("require") ?? "";
        if (rseq !== undefined && /\b100rel\b/i.test(required))
          progress.prack({ extraHeaders: [`RAck: ${rseq} ${progress.message.cseq} INVITE`] });
        if (!isCurrent()) return cancel();
        hear();
        rings = true;
        if (progress.session instanceof SessionDialog) trunk.updates.set(progress.session, early.answerUpdate);
        if (progress.message.statusCode === 180) tell({ type: "ringing" });
        early.hear(sdpIn(progress.message), progress.message.toTag);
      },
      onAccept(accepted) {
        accepted.ack();
        settle();
        const described = sdpIn(accepted.message);
        const answer = described === "" ? early.answerOf(accepted.message.toTag) : local.heard(described);
        // Answered while we were giving up, or by a second callee behind a forking proxy, or in no codec of ours.
        if (!isCurrent() || talking || answer === null) {
          const why = talking ? notices.notSelected : answer ? undefined : notices.noCommonCodec;
          accepted.session.bye(undefined, { extraHeaders: [reasonHeader(why)] });
          if (isCurrent() && !talking) finish(sealing === "always" ? notEncrypted() : causeOfRefusal(488));
          return;
        }
        hear();
        clearTimeout(ringing);
        answeredBy = target;
        talking = establish(trunk, accepted.session, {
          accepted: accepted.message,
          weAre: "uac",
          local,
          answer,
          unusable: causeOfRefusal(488),
          tell,
          finish,
        });
        tell({ type: "answered", answer });
      },
      onRedirect({ message: redirected }) {
        if (over) settle();
        if (!isCurrent()) return;
        hear();
        const next = redirects++ < mostRedirects ? redirectedTo(trunk, target, redirected) : null;
        if (!next) return finish(causeOfRefusal(redirected.statusCode ?? 300, redirected.getHeader("reason")));
        const { uri, user } = next;
        attempt({ ...hop, target: next.target }, rest, again({ place: uri ? { user, uri } : { user } }));
      },
      onReject(rejected) {
        const status = rejected.message.statusCode ?? 500;
        if (over) settle();
        // Made up by the library where nothing came back at all: it has no Via.
        const silent = !rejected.message.hasHeader("via");
        if (silent) trunk.targets.note(target, "silent");
        if (!isCurrent()) return;
        const needed = Number(rejected.message.getHeader("min-se"));
        if (status === 422 && needed > seconds) return attempt(hop, rest, again({ leastSeconds: needed }));
        if (isOfDescription(status)) {
          if (sealing === "possibly") return attempt(hop, rest, again({ inTheClear: true }));
          if (sealing === "always") return finish(notEncrypted(status));
        }
        // A proxy says that it is trying before it finds that it cannot (RFC 3263, section 4.3).
        if ((silent ? !heard : status === 503 && !rings) && tryNext()) return;
        if (silent && !heard) return finish(unanswered);
        finish(silent ? causeOfRefusal(503) : causeOfRefusal(status, rejected.message.getHeader("reason")));
      },
    });
    pending = current;
    const isUnheard = (): boolean => isCurrent() && !heard;
    function giveUp(): void {
      if (!isUnheard()) return;
      // Something else of theirs has come meanwhile: they are there, and may take their time.
      if (rest.length === 0 && (trunk.targets.heardAtMs(target) ?? 0) > beganMs) return;
      trunk.targets.note(target, "silent");
      if (tryNext()) return;
      stop(notices.lost);
      finish(unanswered);
    }
    async function askWhetherThere(): Promise<void> {
      if (isUnheard() && (await askOptions(trunk, target)) === null) giveUp();
    }
    const wasSilent = trunk.targets.isSilent(target);
    if (rest.length > 0) patience = setTimeout(giveUp, wasSilent ? patienceMs.whereSilent : patienceMs.usually);
    else if (wasSilent) patience = setTimeout(giveUp, patienceMs.lastWhereSilent);
    else patience = setTimeout(waitOrAsk, patienceMs.beforeAsking);

    function waitOrAsk(): void {
      if (trunk.targets.answersOptions(target)) void askWhetherThere();
      else if (settings.keepAlive === "options" && trunk.targets.heardAtMs(target) === null)
        patience = setTimeout(giveUp, patienceMs.lastWhereSilent - patienceMs.beforeAsking);
    }
  }

  const [first, ...others] = hops.flatMap(({ sealing, ...hop }) =>
    sealing === null || (sealing === "always" && !local.canBeSealed) ? [] : [{ ...hop, sealing }],
  );
  if (first) attempt(first, others);
  // Whoever dialled has the leg by then.
  else setImmediate(() => finish(notEncrypted()));

  async function hangUp(why?: HangUpNotice): Promise<void> {
    if (over) return;
    close();
    if (talking) await talking.bye(why);
    else stop(why);
  }

  return {
    hangUp,
    setHold: (held) => talking?.setHold(held) ?? Promise.resolve(),
    transfer: (asked) => talking?.transfer(asked),
    replaceable: (by) => talking?.replaceable(by) ?? null,
    ...(settings.keys === "info" && {
      sendDigits: (digits: string) => talking?.sendDigits(digits) ?? Promise.resolve(),
    }),
    offerDigits: (digits) => talking?.offerDigits(digits) ?? Promise.resolve(digits),
    remember(asked) {
      const known = talking?.remember(asked);
      return known && answeredBy ? { ...known, target: answeredBy } : null;
    },
    leave() {
      if (over) return;
      close();
      talking?.leave();
    },
    async end(cause) {
      if (over) return;
      tellNow({ type: "ended", cause });
      await hangUp();
      // The transport is about to close: what cancels a call that rings there must have left.
      if (!talking) await Promise.race([settled, sleep(settledWithinMs, undefined, { ref: false })]);
    },
  };
}

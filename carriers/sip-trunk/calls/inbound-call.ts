import type { CarrierHangUpCause, CarrierLegEvent, InboundCall } from "@leadline/adapter-kit/carrier";
import type { IncomingInviteRequest } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import { sourceOf } from "../transport/via.ts";
import type { DialledLeg } from "./dial-leg.ts";
import { establish } from "./established.ts";
import { callerOf } from "./caller-of.ts";
import { numberCalled } from "./number-called.ts";
import { causeOfRefusal, notEncrypted } from "./cause-of.ts";
import { chooseLine } from "./choose-line.ts";
import { isAudioRefused, tellWithPlacedAudio } from "./place-audio.ts";
import { notices } from "./reason.ts";
import { createRinging } from "./ringing.ts";
import { sealingOver } from "./sealing-over.ts";
import { sdpIn } from "../signalling/session-body.ts";
import { createLocalDescription } from "./session-description.ts";
import { whyTooBrief } from "./session-interval.ts";
import { agreeToSession } from "./session-timer.ts";

const refusals = { busy: 486, declined: 603, "nobody-there": 480, "not-ours": 404, overloaded: 503 } as const;
const retryAfter = "Retry-After: 30";

export interface ReceivedCall {
  call: InboundCall;
  /** Whether the number that was called may ring here. */
  isOurs: boolean;
  /** Whether its sound can be served as the settings ask for. */
  isServed: boolean;
  /** How an INVITE whose session timer is too short is refused; null where it will do. */
  tooBrief: { statusCode: number; extraHeaders: string[] } | null;
  refuse(refusal: { statusCode: number; extraHeaders?: string[] }): void;
  /** The carrier is closing. */
  giveUp(): void;
}

export interface ReceiveOptions {
  /** Whom the request's URI named. */
  called: string;
  onOver: () => void;
  onAnswered: (leg: DialledLeg) => void;
  onLegOver: (leg: DialledLeg) => void;
}

/** An INVITE of the trunk's, as the port knows a call that comes in. */
export function receiveCall(trunk: Trunk, request: IncomingInviteRequest, options: ReceiveOptions): ReceivedCall {
  const { message } = request;
  const offered = sdpIn(message) || null;
  const called = numberCalled(trunk.settings, { requestUser: options.called, toUser: message.to.uri.user });
  let waiting = true;
  let givenUp = (): void => {};
  const named = { to: called.number, ...callerOf(message) };
  const source = sourceOf(message);
  const target = source && { ...source, serverName: trunk.targets.serverNameAt(source.address) };
  // What we say in this call goes back the way it came where its Contact names a place that cannot be reached from here.
  const sealing = sealingOver(source?.protocol ?? "UDP", trunk.settings.mediaEncryption);
  const { codecs } = trunk.settings;
  const peer = source?.address ?? null;
  const line = offered === null || sealing === null ? null : chooseLine(offered, { codecs, sealing, isOffer: true });
  const isServed =
    sealing !== null && (offered === null || (line !== null && !isAudioRefused(trunk, line.alone, peer)));
  if (target) trunk.transport.aim(message.callId, target);
  const ringing = createRinging(request, {
    send: (response) => trunk.transport.send(response),
    onBye: () => abandon(487),
    onUnacknowledged: () => abandon(504),
  });
  const tooBrief = whyTooBrief(message, trunk.settings.sessionSeconds);
  // How long the caller waits (RFC 3261, section 13.3.1).
  const expires = /^\s*(\d{1,9})\s*$/.exec(message.getHeader("expires") ?? "")?.[1];
  const patience =
    expires === undefined ? null : setTimeout(() => abandon(487), Math.min(Number(expires), 86_400) * 1000);
  request.trying();
  request.delegate = { onCancel: () => abandon(487) };

  function close(): void {
    waiting = false;
    ringing.stop();
    if (patience) clearTimeout(patience);
    options.onOver();
  }

  function refuse(refusal: { statusCode: number; extraHeaders?: string[] }): void {
    close();
    trunk.transport.forgetAim(message.callId);
    request.reject({ ...refusal, ...(refusal.statusCode === 503 && { extraHeaders: [retryAfter] }) });
  }

  function abandon(statusCode: number): void {
    if (!waiting) return;
    refuse({ statusCode });
    givenUp();
  }

  async function answer(taken: { offer: string; onEvent: (event: CarrierLegEvent) => void }): Promise<DialledLeg> {
    const local = createLocalDescription(taken.offer, trunk.settings.codecs);
    // A caller that leaves the offer to us has not said what it can.
    local.seal(sealing ?? "never", sealing === "always" ? "RTP/SAVP" : "RTP/AVP");
    const isPossible = sealing !== null && (sealing !== "always" || local.canBeSealed);
    if (source) local.reachedAt(await trunk.transport.ourAddress(source.address));
    const content = !isPossible ? null : offered === null ? local.offer() : local.answer(offered);
    if (!waiting) throw new Error("The caller has given up.");
    if (content === null) {
      abandon(488);
      throw new Error("The caller's side offers no sound that this trunk takes.");
    }
    close();
    let over = false;
    const { session } = request.accept({
      statusCode: 200,
      body: { contentDisposition: "session", contentType: "application/sdp", content },
      extraHeaders: agreeToSession(message, trunk.settings.sessionSeconds)?.headers ?? [],
    });
    const tellNow = (event: CarrierLegEvent): void => {
      if (!over) taken.onEvent(event);
    };
    const tell = tellWithPlacedAudio({
      ways: trunk,
      peer: () => peer,
      tell: tellNow,
      onRefused(cause) {
        if (over) return;
        void talking.bye(notices.audioAddressRefused);
        finish(cause);
      },
    });
    const finish = (cause: CarrierHangUpCause): void => {
      tellNow({ type: "ended", cause });
      over = true;
      leave();
    };
    const leave = (): void => {
      trunk.transport.forgetAim(message.callId);
      options.onLegOver(leg);
    };
    let isAnswered = false;
    const heard = offered === null ? null : local.heard(offered);
    const talking = establish(trunk, session, {
      accepted: message,
      weAre: "uas",
      local,
      answer: heard ?? "",
      onPrack: ringing.answerPrack,
      unusable: sealing === "always" ? notEncrypted() : causeOfRefusal(488),
      // An offer of ours is answered with the acknowledgement, which is where the far end first describes itself.
      tell: (event) =>
        tell(event.type === "redescribed" && !isAnswered ? { type: "answered", answer: answerIn(event) } : event),
      finish,
    });
    function answerIn(event: { answer: string }): string {
      isAnswered = true;
      return event.answer;
    }
    const leg: DialledLeg = {
      async hangUp(why) {
        if (over) return;
        over = true;
        leave();
        await talking.bye(why);
      },
      setHold: (held) => talking.setHold(held),
      transfer: talking.transfer,
      replaceable: talking.replaceable,
      ...(trunk.settings.keys === "info" && { sendDigits: (digits: string) => talking.sendDigits(digits) }),
      offerDigits: talking.offerDigits,
      remember(asked) {
        const known = talking.remember(asked);
        return known && target ? { ...known, target } : null;
      },
      leave() {
        if (over) return;
        over = true;
        leave();
        talking.leave();
      },
      async end(cause) {
        if (over) return;
        tellNow({ type: "ended", cause });
        await leg.hangUp();
      },
    };
    options.onAnswered(leg);
    if (heard !== null) tell({ type: "answered", answer: answerIn({ answer: heard }) });
    return leg;
  }

  return {
    call: {
      ...named,
      ring() {
        if (waiting) ringing.ring();
      },
      answer,
      refuse(why) {
        if (waiting) refuse({ statusCode: refusals[why] });
      },
      onGivenUp: (listener) => void (givenUp = listener),
    },
    isOurs: called.isOurs,
    isServed,
    tooBrief,
    refuse,
    giveUp: () => abandon(480),
  };
}

import type { CarrierLegEvent, InboundCall } from "@leadline/adapter-kit/carrier";
import type { IncomingInviteRequest } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import { acceptCall } from "./accept-call.ts";
import { type AskedCall, readInvite } from "./read-invite.ts";
import { createRinging } from "./ringing.ts";
import { createLocalDescription, type LocalDescription } from "./session-description.ts";
import type { TrunkLeg } from "./trunk-leg.ts";

const refusals = { busy: 486, declined: 603, "nobody-there": 480, "not-ours": 404, overloaded: 503 } as const;
const retryAfter = "Retry-After: 30";

export interface ReceivedCall extends Pick<AskedCall, "isOurs" | "isServed" | "tooBrief"> {
  call: InboundCall;
  refuse(refusal: { statusCode: number; extraHeaders?: string[] }): void;
  /** The carrier is closing. */
  giveUp(): void;
}

export interface ReceiveOptions {
  /** The user in the request URI. */
  called: string;
  onOver: () => void;
  onAnswered: (leg: TrunkLeg) => void;
  onLegOver: (leg: TrunkLeg) => void;
}

/** An INVITE from the trunk as an inbound call: it waits until it is answered, refused or cancelled. */
export function receiveCall(trunk: Trunk, request: IncomingInviteRequest, options: ReceiveOptions): ReceivedCall {
  const { message } = request;
  const asked = readInvite(trunk, message, options.called);
  let waiting = true;
  let givenUp = (): void => {};
  // Our requests in this call return the way it came if its Contact is unreachable from here.
  if (asked.target) trunk.transport.aim(message.callId, asked.target);
  const ringing = createRinging(request, {
    send: (response) => trunk.transport.send(response),
    onBye: () => abandon(487),
    onUnacknowledged: () => abandon(504),
  });
  const patience = asked.patienceMs === null ? undefined : setTimeout(() => abandon(487), asked.patienceMs);
  request.trying();
  request.delegate = { onCancel: () => abandon(487) };

  function close(): void {
    waiting = false;
    ringing.stop();
    clearTimeout(patience);
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

  async function answer(taken: { offer: string; onEvent: (event: CarrierLegEvent) => void }): Promise<TrunkLeg> {
    const local = createLocalDescription(taken.offer, trunk.settings.codecs);
    const content = await describeOurSide(trunk, asked, local);
    if (!waiting) throw new Error("The caller has given up.");
    if (content === null) {
      abandon(488);
      throw new Error("The caller offers no codec that this trunk supports.");
    }
    close();
    const { onAnswered, onLegOver } = options;
    const { answerPrack: onPrack } = ringing;
    return acceptCall(trunk, request, { asked, local, content, onPrack, ...taken, onAnswered, onLegOver });
  }

  return {
    call: {
      ...asked.named,
      ring() {
        if (waiting) ringing.ring();
      },
      answer,
      refuse(why) {
        if (waiting) refuse({ statusCode: refusals[why] });
      },
      onGivenUp: (listener) => void (givenUp = listener),
    },
    isOurs: asked.isOurs,
    isServed: asked.isServed,
    tooBrief: asked.tooBrief,
    refuse,
    giveUp: () => abandon(480),
  };
}

/** Our answer to the caller's offer, or our own offer if that was left to us; null if they have nothing in common. */
async function describeOurSide(
  trunk: Trunk,
  { offered, sealing, target }: AskedCall,
  local: LocalDescription,
): Promise<string | null> {
  // A caller that leaves the offer to us hasn't said what it supports.
  local.setEncryption(sealing ?? "never", sealing === "always" ? "RTP/SAVP" : "RTP/AVP");
  if (target) local.reachedAt(await trunk.transport.ourAddress(target.address));
  if (sealing === null || (sealing === "always" && !local.canBeSealed)) return null;
  return offered === null ? local.offer() : local.answer(offered);
}

import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import type { IncomingInviteRequest, IncomingPrackRequest } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import { causeOfRefusal, notEncrypted } from "./cause-of.ts";
import { establish } from "./established.ts";
import type { AskedCall } from "./read-invite.ts";
import type { LocalDescription } from "./session-description.ts";
import { agreeToSession } from "./session-timer.ts";
import { createTrunkLeg, type TrunkLeg } from "./trunk-leg.ts";

export interface AcceptOptions {
  asked: AskedCall;
  local: LocalDescription;
  /** Our description: the answer, or an offer if the caller left that to us. */
  content: string;
  onPrack: (request: IncomingPrackRequest) => void;
  onEvent: (event: CarrierLegEvent) => void;
  onAnswered: (leg: TrunkLeg) => void;
  onLegOver: (leg: TrunkLeg) => void;
}

/** Answers an INVITE with 200, which makes its call a leg. */
export function acceptCall(trunk: Trunk, request: IncomingInviteRequest, options: AcceptOptions): TrunkLeg {
  const { message } = request;
  const { asked, local, content } = options;
  const { session } = request.accept({
    statusCode: 200,
    body: { contentDisposition: "session", contentType: "application/sdp", content },
    extraHeaders: agreeToSession(message, trunk.settings.sessionSeconds)?.headers ?? [],
  });
  const leg = createTrunkLeg(trunk, {
    peer: () => asked.target?.address ?? null,
    onEvent: options.onEvent,
    onOver() {
      trunk.transport.forgetAim(message.callId);
      options.onLegOver(leg.port);
    },
  });
  const heard = asked.offered === null ? null : local.heard(asked.offered);
  const call = establish(trunk, session, {
    accepted: message,
    weAre: "uas",
    local,
    answer: heard ?? "",
    onPrack: options.onPrack,
    unusable: asked.sealing === "always" ? notEncrypted() : causeOfRefusal(488),
    emit: heard === null ? asAnswered(leg.emit) : leg.emit,
    finish: leg.finish,
  });
  leg.answered(call, asked.target);
  options.onAnswered(leg.port);
  if (heard !== null) leg.emit({ type: "answered", answer: heard });
  return leg.port;
}

/** The ACK answers our offer: that is where the far end first describes itself. */
function asAnswered(emit: (event: CarrierLegEvent) => void): (event: CarrierLegEvent) => void {
  let isAnswered = false;
  return (event) => {
    if (isAnswered || event.type !== "redescribed") return emit(event);
    isAnswered = true;
    emit({ ...event, type: "answered" });
  };
}

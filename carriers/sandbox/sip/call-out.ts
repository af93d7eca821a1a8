import { randomUUID } from "node:crypto";
import type { Carrier, CarrierHangUpCause, CarrierLeg } from "@leadline/adapter-kit/carrier";
import type { SipPath } from "./listen.ts";
import { header, hostPortIn, respond, type SipMessage, uriIn, write } from "./sip-message.ts";

/** A call from the trunk to one of the sandbox's callees: the vendor's side of the dialog (RFC 3261, section 13.3). */
export interface CallOut {
  receive(request: SipMessage): void;
  end(): void;
}

export interface CallOutOptions {
  invite: SipMessage;
  to: string;
  callees: Pick<Carrier, "dial">;
  /** The path that the INVITE arrived on. */
  path: SipPath;
  /** Sent in every response to the INVITE. The vendor's records identify the call by them. */
  headers: readonly (readonly [string, string])[];
  onEnd(call: { answeredAt: Date | null; endedAt: Date }): void;
}

const reasons: Record<number, string> = {
  403: "Forbidden",
  480: "Temporarily Unavailable",
  486: "Busy Here",
  487: "Request Terminated",
  488: "Not Acceptable Here",
  503: "Service Unavailable",
  603: "Decline",
};
const resendMs = 500;

export function startCallOut(options: CallOutOptions): CallOut {
  const { invite } = options;
  const { contact, protocol, send } = options.path;
  const tag = randomUUID();
  let leg: CarrierLeg | null = null;
  let description = "";
  let answeredAt: Date | null = null;
  let over = false;
  let lastResponse = "";
  let resending: NodeJS.Timeout | undefined;
  let cseq = 0;

  const answer = (request: SipMessage, status: number, reason: string, body = ""): string => {
    const headers: [string, string][] = [["Contact", `<${contact}>`]];
    const text = respond(request, status, { reason, tag, headers: [...headers, ...options.headers], body });
    send(text);
    return text;
  };

  function finish(): void {
    if (over) return;
    over = true;
    clearInterval(resending);
    options.onEnd({ answeredAt, endedAt: new Date() });
  }

  function endThere(cause: CarrierHangUpCause): void {
    if (over) return;
    if (answeredAt === null) {
      const status = cause.sip !== null && cause.sip >= 300 ? cause.sip : 480;
      lastResponse = answer(invite, status, reasons[status] ?? "Failed");
    } else sendBye();
    finish();
  }

  function sendBye(): void {
    cseq++;
    const target = uriIn(header(invite, "contact"));
    send(
      write(`BYE ${target} SIP/2.0`, [
        ["Via", `SIP/2.0/${protocol} ${hostPortIn(contact)};branch=z9hG4bK${randomUUID()};rport`],
        ["Max-Forwards", "70"],
        ["From", `${header(invite, "to")};tag=${tag}`],
        ["To", header(invite, "from")],
        ["Call-ID", header(invite, "call-id")],
        ["CSeq", `${cseq} BYE`],
      ]),
    );
  }

  function begin(): void {
    answer(invite, 100, "Trying");
    const dialled = options.callees.dial({
      callSid: header(invite, "call-id"),
      to: options.to,
      callerId: null,
      offer: invite.body,
      onEvent(event) {
        if (over) return;
        if (event.type === "ringing") lastResponse = answer(invite, 180, "Ringing");
        else if (event.type === "answered") {
          answeredAt = new Date();
          description = event.answer;
          lastResponse = answer(invite, 200, "OK", description);
          resending = setInterval(() => send(lastResponse), resendMs);
          resending.unref();
        } else if (event.type === "ended") endThere(event.cause);
      },
    });
    dialled.then(
      (taken) => {
        leg = taken;
        return over ? taken.hangUp() : undefined;
      },
      () => endThere({ reason: "network-failure", sip: 503, q850: 38 }),
    );
  }

  begin();
  return {
    receive(request) {
      const isInvite = header(request, "cseq") === header(invite, "cseq");
      if (request.method === "INVITE" && isInvite) return send(lastResponse);
      if (request.method === "ACK") return clearInterval(resending);
      if (request.method === "CANCEL") {
        answer(request, 200, "OK");
        if (over || answeredAt !== null) return;
        lastResponse = answer(invite, 487, "Request Terminated");
        void leg?.hangUp();
        return finish();
      }
      if (over) return void answer(request, 481, "Call Does Not Exist");
      if (request.method === "BYE") {
        answer(request, 200, "OK");
        void leg?.hangUp();
        return finish();
      }
      // For hold, session refresh and DTMF the callee's description stays the same.
      answer(request, 200, "OK", request.method === "INVITE" ? description : "");
    },
    end: () => {
      void leg?.hangUp();
      endThere({ reason: "network-failure", sip: 503, q850: 38 });
    },
  };
}

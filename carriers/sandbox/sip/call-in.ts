import { randomUUID } from "node:crypto";
import type { Carrier, CarrierLeg } from "@leadline/adapter-kit/carrier";
import type { SipPath } from "./listen.ts";
import { header, hostPortIn, respond, type SipMessage, uriIn, write } from "./sip-message.ts";

/**
 * A call from one of the sandbox's callees to the trunk. The trunk makes the offer, and the callee answers it in the
 * ACK (RFC 3261, section 13.2.1).
 */
export interface CallIn {
  callId: string;
  receive(message: SipMessage): void;
  end(): void;
}

export interface CallInOptions {
  from: string;
  to: string;
  /** The request URI: the trunk's address. */
  target: string;
  callees: Pick<Carrier, "dial">;
  path: SipPath;
  headers: readonly (readonly [string, string])[];
  onEnd(call: { answeredAt: Date | null; endedAt: Date; status: number }): void;
}

export function startCallIn(options: CallInOptions): CallIn {
  const { contact, protocol, send } = options.path;
  const callId = randomUUID();
  const host = hostPortIn(contact);
  const from = `<sip:${options.from}@${host}>;tag=${randomUUID()}`;
  const branch = `z9hG4bK${randomUUID()}`;
  let to = `<sip:${options.to}@${host}>`;
  let target = options.target;
  let leg: CarrierLeg | null = null;
  let answeredAt: Date | null = null;
  let over = false;
  let ack = "";
  let cseq = 1;

  const request = (method: string, via: string, number: number, body = ""): string =>
    write(
      `${method} ${target} SIP/2.0`,
      [
        ["Via", `SIP/2.0/${protocol} ${host};branch=${via};rport`],
        ["Max-Forwards", "70"],
        ["From", from],
        ["To", to],
        ["Call-ID", callId],
        ["CSeq", `${number} ${method}`],
        ["Contact", `<${contact}>`],
        ...(method === "INVITE" ? options.headers : []),
      ],
      body,
    );

  function finish(status: number): void {
    if (over) return;
    over = true;
    options.onEnd({ answeredAt, endedAt: new Date(), status });
  }

  async function answer(response: SipMessage): Promise<void> {
    answeredAt = new Date();
    target = uriIn(header(response, "contact")) || target;
    leg = await options.callees.dial({
      callSid: callId,
      to: options.from,
      callerId: null,
      offer: response.body,
      onEvent(event) {
        if (event.type === "answered" && ack === "") {
          ack = request("ACK", `z9hG4bK${randomUUID()}`, 1, event.answer);
          send(ack);
        } else if (event.type === "ended") hangUp();
      },
    });
  }

  function hangUp(): void {
    if (over) return;
    void leg?.hangUp();
    if (answeredAt === null) send(request("CANCEL", branch, 1));
    else send(request("BYE", `z9hG4bK${randomUUID()}`, ++cseq));
    finish(200);
  }

  send(request("INVITE", branch, 1));
  return {
    callId,
    receive(message) {
      if (message.method === null) {
        if (!/\bINVITE$/.test(header(message, "cseq")) || message.status < 200) return;
        to = header(message, "to");
        if (message.status >= 300) {
          send(request("ACK", branch, 1));
          return finish(message.status);
        }
        if (ack !== "") return send(ack);
        if (answeredAt === null) answer(message).catch(hangUp);
        return;
      }
      send(respond(message, 200, { reason: "OK", tag: "" }));
      if (message.method !== "BYE") return;
      void leg?.hangUp();
      finish(200);
    },
    end: hangUp,
  };
}

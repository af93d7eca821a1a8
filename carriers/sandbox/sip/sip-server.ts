import type { Carrier } from "@leadline/adapter-kit/carrier";
import { type CallIn, startCallIn } from "./call-in.ts";
import { type CallOut, startCallOut } from "./call-out.ts";
import { createGate } from "./gate.ts";
import { host, listenOverTls, listenOverUdp, type SipPath } from "./listen.ts";
import type { OwnCertificate } from "./own-certificate.ts";
import { createRegistrar } from "./registrar.ts";
import { header, placeIn, respond, type SipMessage, userIn } from "./sip-message.ts";

export interface SipTrunk {
  id: string;
  password: string;
  /** Where inbound calls go. Null: to the registered contact. */
  originationUri: string | null;
}

export interface EndedCall {
  id: string;
  trunkId: string;
  from: string;
  to: string;
  startedAt: Date;
  answeredAt: Date | null;
  endedAt: Date;
}

export interface SipServerOptions {
  /** 0: any port. */
  ports: { udp: number; tls: number };
  certificate: OwnCertificate;
  realm: string;
  callees: Pick<Carrier, "dial">;
  /** The trunk with this username. Null if there is none. */
  findTrunk(user: string): SipTrunk | null;
  limits: { callsPerSecond: number; channels: number | null };
  /** The vendor's response to calls above the limit. */
  tooFast: { status: number; reason: string };
  tooMany: { status: number; reason: string };
  /** The vendor's response to a call that shows this number, or whatever else stands for one. Null: it may be shown. */
  whyNotShown(number: string): { status: number; reason: string } | null;
  newCallId(): string;
  /** The header by which the vendor identifies a call in SIP messages. */
  idHeader: string;
  onEnded(call: EndedCall): void;
}

interface CallRequest {
  user: string;
  from: string;
  to: string;
  /** In the INVITE. */
  headers?: readonly (readonly [string, string])[];
}

/** The asserted identity, if there is one (RFC 3325). */
const callerOf = (request: SipMessage): string =>
  userIn(header(request, "p-asserted-identity") || header(request, "from"));

/** The SIP side of a sandbox vendor on loopback, over UDP and TLS: digest authentication, registrations, and calls to and from the callees. */
export async function startSipServer(options: SipServerOptions) {
  const registrar = createRegistrar(options);
  const callsOut = new Map<string, CallOut>();
  const callsIn = new Map<string, CallIn>();
  const gate = createGate(options);
  /** Final responses to INVITEs that never became calls, by Call-ID and CSeq, for retransmissions. */
  const rejected = new Map<string, string>();
  let rejections = 0;

  function receive(message: SipMessage, path: SipPath): void {
    const callId = header(message, "call-id");
    const call = callsIn.get(callId) ?? callsOut.get(callId);
    if (call) return call.receive(message);
    if (message.method === null || message.method === "ACK") return;
    if (message.method === "REGISTER") return registrar.register(message, path);
    if (message.method === "INVITE") return invite(message, path);
    const known = message.method === "OPTIONS";
    path.send(respond(message, known ? 200 : 481, { reason: known ? "OK" : "Call Does Not Exist", tag: "sandbox" }));
  }

  function invite(request: SipMessage, path: SipPath): void {
    const key = `${header(request, "call-id")} ${header(request, "cseq")}`;
    const earlier = rejected.get(key);
    if (earlier !== undefined) return path.send(earlier);
    const user = registrar.prove(request, path.send);
    const trunk = user === null ? null : options.findTrunk(user);
    if (!trunk) return;
    const from = callerOf(request);
    const refusal = options.whyNotShown(from) ?? gate.whyRefused(trunk.id);
    if (refusal) {
      rejections++;
      const text = respond(request, refusal.status, { reason: refusal.reason, tag: "sandbox" });
      rejected.set(key, text);
      setTimeout(() => rejected.delete(key), 32_000).unref();
      return path.send(text);
    }
    const id = options.newCallId();
    const startedAt = new Date();
    const number = userIn(request.uri).replace(/^(?!\+)/, "+");
    const call = startCallOut({
      invite: request,
      to: number,
      callees: options.callees,
      path,
      headers: [[options.idHeader, id]],
      onEnd(ended) {
        // Kept a little longer, for retransmissions.
        setTimeout(() => callsOut.delete(header(request, "call-id")), 5_000).unref();
        gate.leave(id);
        options.onEnded({ id, trunkId: trunk.id, from, to: number, startedAt, ...ended });
      },
    });
    gate.enter(id, trunk.id);
    callsOut.set(header(request, "call-id"), call);
  }

  const [udp, tls] = await Promise.all([
    listenOverUdp(options.ports.udp, receive),
    listenOverTls(options.ports.tls, options.certificate, receive),
  ]);

  /** Where this user's trunk is called; null if that isn't known. */
  function reach(user: string, to: string, { originationUri }: SipTrunk): { target: string; path: SipPath } | null {
    const contact = originationUri === null ? registrar.contactOf(user) : undefined;
    const place = placeIn(originationUri ?? contact?.uri ?? "");
    if (!place) return null;
    const parameter = contact?.path.protocol === "TLS" ? ";transport=tls" : "";
    return {
      target: `sip:${contact ? userIn(contact.uri) : to}@${place.host}:${place.port}${parameter}`,
      path: contact?.path ?? udp.pathTo(place),
    };
  }

  return {
    /** host:port, over UDP and over TLS. */
    addresses: { udp: `${host}:${udp.port}`, tls: `${host}:${tls.port}` },
    ports: { udp: udp.port, tls: tls.port },
    rejections: () => rejections,
    /** Calls a number that rings at this user's trunk. Resolves to the final status when the call is over. */
    call({ user, from, to, headers = [] }: CallRequest): Promise<number> {
      const trunk = options.findTrunk(user);
      const reached = trunk && reach(user, to, trunk);
      if (!reached) return Promise.resolve(480);
      const { promise, resolve } = Promise.withResolvers<number>();
      const id = options.newCallId();
      const startedAt = new Date();
      const call = startCallIn({
        from,
        to,
        ...reached,
        callees: options.callees,
        headers: [[options.idHeader, id], ["P-Called-Party-ID", `<sip:${to}@${host}>`], ...headers],
        onEnd({ status, ...ended }) {
          setTimeout(() => callsIn.delete(call.callId), 5_000).unref();
          options.onEnded({ id, trunkId: trunk.id, from, to, startedAt, ...ended });
          resolve(status);
        },
      });
      callsIn.set(call.callId, call);
      return promise;
    },
    async close(): Promise<void> {
      for (const call of [...callsOut.values(), ...callsIn.values()]) call.end();
      await Promise.all([udp.close(), tls.close()]);
    },
  };
}

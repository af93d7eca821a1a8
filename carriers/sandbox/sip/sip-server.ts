import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { Carrier } from "@leadline/adapter-kit/carrier";
import { type CallIn, startCallIn } from "./call-in.ts";
import { type CallOut, startCallOut } from "./call-out.ts";
import { createGate } from "./gate.ts";
import { createRegistrar } from "./registrar.ts";
import { header, placeIn, readSip, respond, type SipMessage, userIn } from "./sip-message.ts";

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
  port: number;
  realm: string;
  callees: Pick<Carrier, "dial">;
  /** The trunk with this username. Null if there is none. */
  findTrunk(user: string): SipTrunk | null;
  limits: { callsPerSecond: number; channels: number | null };
  /** The vendor's response to calls above the limit. */
  tooFast: { status: number; reason: string };
  tooMany: { status: number; reason: string };
  newCallId(): string;
  /** The header by which the vendor identifies a call in SIP messages. */
  idHeader: string;
  onEnded(call: EndedCall): void;
}

const host = "127.0.0.1";

async function listenOn(port: number): Promise<Socket> {
  const socket = createSocket("udp4");
  try {
    const listening = once(socket, "listening");
    socket.bind(port, host);
    await listening;
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

/** The SIP side of a sandbox vendor on loopback: digest authentication, registrations, and calls to and from the callees. */
export async function startSipServer(options: SipServerOptions) {
  // Another program may use the former port by now. That must not stop the server from starting.
  const socket = await listenOn(options.port).catch(() => listenOn(0));
  socket.on("error", () => undefined);
  const { port } = socket.address();
  const contact = `sip:${host}:${port}`;
  const registrar = createRegistrar(options);
  const callsOut = new Map<string, CallOut & { trunkId: string }>();
  const callsIn = new Map<string, CallIn>();
  const gate = createGate(options);
  /** Final responses to INVITEs that never became calls, by Call-ID and CSeq, for retransmissions. */
  const rejected = new Map<string, string>();
  let rejections = 0;

  const sendTo = (place: { host: string; port: number }) => (text: string) =>
    socket.send(text, place.port, place.host, () => undefined);

  function receive(message: SipMessage, send: (text: string) => void): void {
    const callId = header(message, "call-id");
    const call = callsIn.get(callId) ?? callsOut.get(callId);
    if (call) return call.receive(message);
    if (message.method === null || message.method === "ACK") return;
    if (message.method === "REGISTER") return registrar.register(message, send);
    if (message.method === "INVITE") return invite(message, send);
    const known = message.method === "OPTIONS";
    send(respond(message, known ? 200 : 481, { reason: known ? "OK" : "Call Does Not Exist", tag: "sandbox" }));
  }

  function invite(request: SipMessage, send: (text: string) => void): void {
    const key = `${header(request, "call-id")} ${header(request, "cseq")}`;
    const earlier = rejected.get(key);
    if (earlier !== undefined) return send(earlier);
    const user = registrar.prove(request, send);
    const trunk = user === null ? null : options.findTrunk(user);
    if (!trunk) return;
    const refusal = gate.whyRefused(trunk.id);
    if (refusal) {
      rejections++;
      const text = respond(request, refusal.status, { reason: refusal.reason, tag: "sandbox" });
      rejected.set(key, text);
      setTimeout(() => rejected.delete(key), 32_000).unref();
      return send(text);
    }
    const id = options.newCallId();
    const startedAt = new Date();
    const number = userIn(request.uri).replace(/^(?!\+)/, "+");
    const call = startCallOut({
      invite: request,
      to: number,
      callees: options.callees,
      contact,
      headers: [[options.idHeader, id]],
      send,
      onEnd(ended) {
        // Kept a little longer, for retransmissions.
        setTimeout(() => callsOut.delete(header(request, "call-id")), 5_000).unref();
        gate.leave(id);
        options.onEnded({
          id,
          trunkId: trunk.id,
          from: userIn(header(request, "from")),
          to: number,
          startedAt,
          ...ended,
        });
      },
    });
    gate.enter(id, trunk.id);
    callsOut.set(header(request, "call-id"), { ...call, trunkId: trunk.id });
  }

  socket.on("message", (datagram, from) => {
    const message = readSip(datagram.toString());
    if (message) receive(message, sendTo({ host: from.address, port: from.port }));
  });

  return {
    address: `${host}:${port}`,
    port,
    rejections: () => rejections,
    /** Calls a number that rings at this user's trunk. Resolves to the final status when the call is over. */
    call({ user, from, to }: { user: string; from: string; to: string }): Promise<number> {
      const trunk = options.findTrunk(user);
      const at = trunk?.originationUri ?? registrar.contactOf(user);
      const place = at === undefined ? null : placeIn(at);
      if (!trunk || !place) return Promise.resolve(480);
      const { promise, resolve } = Promise.withResolvers<number>();
      const id = options.newCallId();
      const startedAt = new Date();
      const call = startCallIn({
        from,
        to,
        target: `sip:${trunk.originationUri === null ? user : to}@${place.host}:${place.port}`,
        callees: options.callees,
        contact,
        headers: [
          [options.idHeader, id],
          ["P-Called-Party-ID", `<sip:${to}@${host}>`],
        ],
        send: sendTo(place),
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
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}
export type SipServer = Awaited<ReturnType<typeof startSipServer>>;

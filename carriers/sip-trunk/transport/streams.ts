import { once } from "node:events";
import { connect as connectTcp, createServer, isIP, type Server, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

import { createFrames, UnframedStream } from "./frames.ts";
import { type SipProtocol, type SipTarget, targetKey } from "./sip-target.ts";

const connectMs = 4_000;
/** A peer that has been silent this long over its own connection can open another. */
const defaultIdleMs = 10 * 60_000;
const maxConnections = 500;
/** How long pending data has to be written. */
const partingMs = 500;

export interface StreamSource {
  protocol: SipProtocol;
  address: string;
  port: number;
  connectionId: number;
}

interface Connection {
  id: number;
  socket: Socket;
  protocol: SipProtocol;
  ready: Promise<unknown>;
}

export interface StreamOptions {
  /** The PEM certificate of the authority that signs the trunk's certificate, if it isn't a public one. */
  ca: string | null;
  onMessage: (text: string, source: StreamSource) => void;
  /** The connection carries something other than SIP, and is closed. */
  onUnframed?: (text: string, source: StreamSource, why: string) => void;
  /** A connection that carried messages has closed. */
  onClosed: (target: Omit<SipTarget, "serverName">) => void;
  /** Whether a connection from this address is accepted. */
  isKnown: (address: string) => boolean;
  idleMs?: number;
}

/** TCP and TLS connections: one per peer, used in both directions, reopened after a loss. */
export function createStreams(options: StreamOptions) {
  const byId = new Map<number, Connection>();
  const byTarget = new Map<string, Connection>();
  let lastId = 0;
  let server: Server | null = null;

  function adopt(socket: Socket, target: Omit<SipTarget, "serverName">, ready: Promise<unknown>): Connection {
    const connection = { id: ++lastId, socket, protocol: target.protocol, ready };
    let carried = false;
    ready.then(
      () => (carried = true),
      () => {},
    );
    const key = targetKey(target);
    byId.set(connection.id, connection);
    byTarget.set(key, connection);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      byId.delete(connection.id);
      if (byTarget.get(key) === connection) byTarget.delete(key);
      if (carried) options.onClosed(target);
    });
    const { protocol, address, port } = target;
    const source = { protocol, address, port, connectionId: connection.id };
    // RFC 5626, section 4.4.1: a peer that gets no pong considers the connection lost.
    const frames = createFrames(
      (text) => options.onMessage(text, source),
      () => socket.write("\r\n"),
    );
    socket.on("data", (chunk: Buffer) => {
      try {
        frames(chunk);
      } catch (error) {
        if (error instanceof UnframedStream) options.onUnframed?.(chunk.toString("utf8"), source, error.message);
        socket.destroy();
      }
    });
    return connection;
  }

  function open(target: SipTarget): Connection {
    const { address: host, port, serverName } = target;
    const socket =
      target.protocol === "TLS"
        ? connectTls({
            host,
            port,
            // A certificate for an IP address is checked against that address; SNI has no form for one (RFC 6066).
            ...(isIP(serverName) === 0 && { servername: serverName }),
            ...(options.ca !== null && { ca: options.ca }),
          })
        : connectTcp({ host, port });
    const opened = once(socket, target.protocol === "TLS" ? "secureConnect" : "connect", {
      signal: AbortSignal.timeout(connectMs),
    });
    opened.catch(() => socket.destroy());
    return adopt(socket, target, opened);
  }

  return {
    /** Resolves to our own end of the connection once the message is sent; rejects if no connection could be made. */
    async send(target: SipTarget, write: (local: { host: string; port: number }) => string): Promise<void> {
      const connection = byTarget.get(targetKey(target)) ?? open(target);
      await connection.ready;
      const { socket } = connection;
      socket.write(write({ host: socket.localAddress ?? "", port: socket.localPort ?? 0 }));
    },
    /** Sends it over the connection that a request arrived on; false if that is gone. */
    reply(connectionId: number, write: (local: { host: string; port: number }) => string): boolean {
      const socket = byId.get(connectionId)?.socket;
      if (!socket || socket.destroyed) return false;
      socket.write(write({ host: socket.localAddress ?? "", port: socket.localPort ?? 0 }));
      return true;
    },
    isOpen: (target: SipTarget): boolean => byTarget.has(targetKey(target)),
    async listen(port: number): Promise<void> {
      server = createServer((socket) => {
        const { remoteAddress = "", remotePort = 0 } = socket;
        const address = remoteAddress.replace(/^::ffff:/, "");
        if (!options.isKnown(address)) return void socket.destroy();
        socket.setTimeout(options.idleMs ?? defaultIdleMs, () => socket.destroy());
        adopt(socket, { protocol: "TCP", address, port: remotePort }, Promise.resolve());
      });
      server.maxConnections = maxConnections;
      server.listen(port);
      await once(server, "listening");
    },
    async close(): Promise<void> {
      const parting = [...byId.values()].map(({ socket }) => socket);
      for (const socket of parting) socket.end(() => socket.destroy());
      const overdue = setTimeout(() => parting.forEach((socket) => socket.destroy()), partingMs);
      if (!server) return void overdue.unref();
      await new Promise((done) => server?.close(done));
      clearTimeout(overdue);
    },
  };
}

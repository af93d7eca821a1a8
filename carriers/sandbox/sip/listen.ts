import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { Socket as Connection } from "node:net";
import { createServer } from "node:tls";
import type { OwnCertificate } from "./own-certificate.ts";
import { readSip, type SipMessage } from "./sip-message.ts";

export const host = "127.0.0.1";

/** Where a message came from, and how to reply. */
export interface SipPath {
  protocol: "UDP" | "TLS";
  /** The sandbox's own URI over it. */
  contact: string;
  send(text: string): void;
  isOpen(): boolean;
}
type OnMessage = (message: SipMessage, path: SipPath) => void;

/** 0: any port. If another program has taken the former port meanwhile, any free one is used. */
const there = <T>(port: number, listen: (port: number) => Promise<T>): Promise<T> =>
  listen(port).catch(() => listen(0));

export async function listenOverUdp(wantedPort: number, onMessage: OnMessage) {
  const socket = await there(wantedPort, bind);
  socket.on("error", () => undefined);
  const { port } = socket.address();
  const pathTo = (place: { host: string; port: number }): SipPath => ({
    protocol: "UDP",
    contact: `sip:${host}:${port}`,
    send: (text) => socket.send(text, place.port, place.host, () => undefined),
    isOpen: () => true,
  });
  socket.on("message", (datagram, from) => {
    const message = readSip(datagram.toString());
    if (message) onMessage(message, pathTo({ host: from.address, port: from.port }));
  });
  return {
    port,
    pathTo,
    async close(): Promise<void> {
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}

async function bind(port: number): Promise<Socket> {
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

/** A connection carries messages both ways, as with a device behind a NAT (RFC 5626). */
export async function listenOverTls(
  wantedPort: number,
  { key, certificate }: OwnCertificate,
  onMessage: OnMessage,
): Promise<{ port: number; close(): Promise<void> }> {
  const connections = new Set<Connection>();
  const open = async (port: number) => {
    const server = createServer({ key, cert: certificate });
    server.listen(port, host);
    await once(server, "listening");
    return server;
  };
  const server = await there(wantedPort, open);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const contact = `sip:${host}:${port};transport=tls`;
  // Before its handshake too: close() must end every one of them.
  server.on("connection", (connection: Connection) => {
    connections.add(connection);
    connection.on("close", () => connections.delete(connection));
  });
  server.on("secureConnection", (socket) => {
    const path: SipPath = {
      protocol: "TLS",
      contact,
      send(text) {
        if (!socket.destroyed) socket.write(text);
      },
      isOpen: () => !socket.destroyed,
    };
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on(
      "data",
      createFrames((text) => {
        const message = readSip(text);
        if (message) onMessage(message, path);
      }),
    );
  });
  return {
    port,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
}

/** Splits a stream into messages by their Content-Length (RFC 3261, section 18.3). */
function createFrames(onText: (text: string) => void): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);

  function takeOne(): string | null {
    // Line ends between messages keep the connection alive.
    let start = 0;
    while (held[start] === 0x0d || held[start] === 0x0a) start++;
    held = held.subarray(start);
    const headEnd = held.indexOf("\r\n\r\n");
    if (headEnd < 0) return null;
    const length = /^(?:content-length|l)[ \t]*:[ \t]*(\d+)/im.exec(held.toString("utf8", 0, headEnd))?.[1] ?? "0";
    const end = headEnd + 4 + Number(length);
    if (held.length < end) return null;
    const text = held.toString("utf8", 0, end);
    held = held.subarray(end);
    return text;
  }

  return (chunk) => {
    held = Buffer.concat([held, chunk]);
    for (let text = takeOne(); text !== null; text = takeOne()) onText(text);
  };
}

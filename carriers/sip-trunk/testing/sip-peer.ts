import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, isIPv6, type Socket } from "node:net";

/** What came, as a test reads it: written by hand, so that it shares nothing with what is tested. */
export interface Heard {
  /** `INVITE`, `200`: the method of a request, the status of a response. */
  what: string;
  text: string;
  body: string;
  atMs: number;
  /** All of that name. */
  headers(name: string): string[];
  header(name: string): string | undefined;
  /** Back the way it came. `tag`: of our To, where the request has none. */
  reply(status: number, options?: { headers?: readonly string[]; body?: string; tag?: string }): void;
  /** Closes the connection that it came by. */
  hangUp(): void;
}

export interface SipPeerOptions {
  transport?: "udp" | "tcp";
  host?: string;
  port?: number;
  onHeard: (heard: Heard) => void;
}

/** A far end whose every word the test writes itself: for what well-behaved programs never say. */
export async function openSipPeer({ transport = "udp", host = "127.0.0.1", port = 0, onHeard }: SipPeerOptions) {
  const all: Heard[] = [];

  function hear(text: string, send: (text: string) => void, hangUp: () => void): void {
    const heard = read(text, send, hangUp);
    all.push(heard);
    onHeard(heard);
  }

  if (transport === "udp") {
    const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
    const listening = once(socket, "listening");
    socket.bind(port, host);
    await listening;
    socket.on("message", (datagram, from) =>
      hear(
        datagram.toString(),
        (reply) => socket.send(reply, from.port, from.address),
        () => {},
      ),
    );
    return {
      port: socket.address().port,
      all,
      send: (text: string, to: { port: number; address: string }) => socket.send(text, to.port, to.address),
      close: async () => void socket.close(),
    };
  }

  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    let held = "";
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.on("data", (chunk) => {
      held += chunk.toString();
      for (let end = held.indexOf("\r\n\r\n"); end >= 0; end = held.indexOf("\r\n\r\n")) {
        const length = Number(/^content-length\s*:\s*(\d+)/im.exec(held.slice(0, end))?.[1] ?? 0);
        if (held.length < end + 4 + length) return;
        const text = held.slice(0, end + 4 + length);
        held = held.slice(end + 4 + length);
        hear(
          text,
          (reply) => socket.write(reply),
          () => socket.end(),
        );
      }
    });
  });
  server.listen(port, host);
  await once(server, "listening");
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : port,
    all,
    send: (text: string) => open.forEach((socket) => socket.write(text)),
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

function read(text: string, send: (text: string) => void, hangUp: () => void): Heard {
  const end = text.indexOf("\r\n\r\n");
  const head = end < 0 ? text : text.slice(0, end);
  const lines = head.split("\r\n");
  const [start = ""] = lines;
  const headers = (name: string): string[] =>
    lines
      .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      .map((line) => line.slice(name.length + 1).trim());
  const header = (name: string): string | undefined => headers(name)[0];
  return {
    what: /^SIP\/2\.0 (\d+)/.exec(start)?.[1] ?? start.split(" ")[0] ?? "",
    text,
    body: end < 0 ? "" : text.slice(end + 4),
    atMs: performance.now(),
    headers,
    header,
    reply(status, { headers: more = [], body = "", tag = "peer" } = {}) {
      const to = header("to") ?? "";
      const reply = [
        `SIP/2.0 ${status} Said`,
        ...headers("via").map((via) => `Via: ${via}`),
        `From: ${header("from")}`,
        `To: ${to}${status > 100 && !/;tag=/.test(to) ? `;tag=${tag}` : ""}`,
        `Call-ID: ${header("call-id")}`,
        `CSeq: ${header("cseq")}`,
        ...more,
        ...(body === "" ? [] : ["Content-Type: application/sdp"]),
        `Content-Length: ${body.length}`,
      ];
      send(`${reply.join("\r\n")}\r\n\r\n${body}`);
    },
    hangUp,
  };
}

import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { decode, encode } from "bencodec";

type NgValue = string | number | Buffer | NgValue[] | { [key: string]: NgValue };
export type NgRequest = Record<string, NgValue>;
export type NgAnswer = Record<string, unknown>;

/** No reply in time: the rtpengine or the path to it is down. */
export class NodeSilent extends Error {
  override name = "NodeSilent";
}
/** The rtpengine understood the command and refused it. */
export class NodeRefused extends Error {
  override name = "NodeRefused";
}

/** Retries with the same cookie: an rtpengine that has already carried out the command repeats its reply. */
const askAgainAfterMs = [100, 200, 400, 800, 1_500];

/** rtpengine's NG protocol over UDP: each datagram is a cookie, a space and a bencoded dictionary, both ways. */
export async function openNgClient({ host, port }: { host: string; port: number }) {
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  const waiting = new Map<string, (answer: NgAnswer) => void>();
  const prefix = randomBytes(6).toString("hex");
  let lastCookie = 0;
  let closed = false;

  // Some systems report a closed port as an error; the timeout covers it.
  socket.on("error", () => {});
  socket.on("message", (datagram) => {
    const space = datagram.indexOf(" ");
    const settle = waiting.get(datagram.toString("latin1", 0, Math.max(space, 0)));
    const answer = settle && read(datagram.subarray(space + 1));
    if (answer) settle(answer);
  });
  socket.connect(port, host);
  await once(socket, "connect");
  socket.unref();

  function exchange(given: NgRequest): Promise<NgAnswer> {
    const cookie = `${prefix}${++lastCookie}`;
    const datagram = Buffer.concat([Buffer.from(`${cookie} `), Buffer.from(encode(given))]);
    const { promise, resolve, reject } = Promise.withResolvers<NgAnswer>();
    const pauses = [...askAgainAfterMs];
    let timer: NodeJS.Timeout | undefined;
    const send = (): void => {
      const pauseMs = pauses.shift();
      if (pauseMs === undefined) return reject(new NodeSilent(`The rtpengine at ${host}:${port} did not answer.`));
      if (!closed) socket.send(datagram, () => {});
      timer = setTimeout(send, pauseMs);
    };
    waiting.set(cookie, resolve);
    send();
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(cookie);
    });
  }

  return {
    ourAddress: socket.address().address,
    /** Rejects with NodeSilent after 3 s, and with NodeRefused if the rtpengine refuses. */
    async ask(command: string, given: NgRequest = {}): Promise<NgAnswer> {
      const answer = await exchange({ command, ...given });
      if (answer["result"] === "error")
        throw new NodeRefused(`${command}: ${String(answer["error-reason"] ?? "no reason given")}`);
      return answer;
    },
    close(): void {
      closed = true;
      socket.close();
    },
  };
}

function read(document: Buffer): NgAnswer | null {
  try {
    const decoded = decode(document, { stringify: true });
    return typeof decoded === "object" && decoded !== null ? { ...decoded } : null;
  } catch {
    return null;
  }
}

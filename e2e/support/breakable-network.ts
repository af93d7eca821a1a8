import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { BrowserContext, Route } from "playwright-core";

export interface BreakableNetwork {
  /** From now on no audio packet passes, in either direction; requests do. */
  cut(): void;
  mend(): void;
  packetsPassed(): number;
  /** Once pending requests have been answered. */
  close(): Promise<void>;
}

/** Puts a UDP relay between the page and the server, by rewriting the candidates of every SDP answer. */
export async function breakableNetwork(context: BrowserContext): Promise<BreakableNetwork> {
  const sockets: Socket[] = [];
  let isCut = false;
  let passed = 0;

  async function openSocket(): Promise<Socket> {
    const socket = createSocket("udp4");
    sockets.push(socket);
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    return socket;
  }

  const forward = (packet: Buffer, from: Socket, to: { port: number; address: string }): void => {
    if (isCut) return;
    passed += 1;
    from.send(packet, to.port, to.address);
  };

  /** A port that represents the server's; each address of the browser gets its own port towards the server. */
  async function relayTo(server: { port: number; address: string }): Promise<number> {
    const near = await openSocket();
    const farByBrowser = new Map<number, Promise<Socket>>();
    const openFar = async (browser: { port: number; address: string }): Promise<Socket> => {
      const far = await openSocket();
      far.on("message", (packet) => forward(packet, near, browser));
      return far;
    };
    near.on("message", (packet, browser) => {
      const far = farByBrowser.get(browser.port) ?? openFar(browser);
      farByBrowser.set(browser.port, far);
      void far.then((socket) => forward(packet, socket, server));
    });
    return near.address().port;
  }

  async function rewrite(answer: string): Promise<string> {
    const lines = answer.split("\r\n");
    const candidates = lines.filter((line) => line.startsWith("a=candidate:") && / udp /i.test(line));
    const [first] = candidates;
    const [, , , , address, port] = first?.split(" ") ?? [];
    if (first === undefined || address === undefined) throw new Error("the answer has no UDP candidate");
    const relayPort = await relayTo({ address, port: Number(port) });
    return lines
      .filter((line) => line === first || !line.startsWith("a=candidate:"))
      .map((line) => (line === first ? line.replace(`${address} ${port}`, `127.0.0.1 ${relayPort}`) : line))
      .join("\r\n");
  }

  async function throughRelay(route: Route): Promise<void> {
    if (route.request().method() === "GET") return route.fallback();
    const response = await route.fetch();
    const body: unknown = await response.json().catch(() => null);
    if (typeof body !== "object" || body === null || !("answer" in body)) return route.fulfill({ response });
    return route.fulfill({ response, json: { ...body, answer: await rewrite(String(body.answer)) } });
  }

  await context.route(/\/api\/v1\/(calls|media-connections)/, throughRelay);
  return {
    cut: () => void (isCut = true),
    mend: () => void (isCut = false),
    packetsPassed: () => passed,
    async close() {
      await context.unrouteAll({ behavior: "wait" });
      for (const socket of sockets) socket.close();
    },
  };
}

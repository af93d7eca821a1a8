import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

import { isPublicAddress } from "@leadline/adapter-kit/outbound/public-address";
import { afterEach, describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";
import { openSipPeer } from "./testing/sip-peer.ts";
import { startDns } from "./testing/start-dns.ts";
import { freePort } from "./testing/start-program.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function open(given: object, options: Parameters<typeof openSipTrunk>[1] = {}) {
  const trunk = await openSipTrunk(
    settings.parse({ authentication: "register", user: "agent", password: "secret", ...given }),
    options,
  );
  closers.push(() => trunk.close());
  return trunk;
}

describe("a trunk in a private network that the operator has not allowed", () => {
  it.each(["an address", "a name"])("given as %s is sent nothing, and says what to configure", async (how) => {
    const peer = await openSipPeer({ onHeard: (heard) => heard.reply(200) });
    closers.push(() => peer.close());
    const dns = await startDns([{ name: "pbx.example", type: "A", address: "127.0.0.1" }]);
    closers.push(() => dns.close());
    const host = how === "an address" ? "127.0.0.1" : "pbx.example";
    const trunk = await open(
      { host: `${host}:${peer.port}`, transport: "udp" },
      { resolver: dns.resolver, mayReach: isPublicAddress },
    );
    const sentence = expect.stringMatching(/is in a private network.*PRIVATE_NETWORKS/);
    expect(await trunk.check?.()).toEqual([{ what: "Find the server", ok: false, sentence }]);
    const offer = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n";
    const ended = Promise.withResolvers<unknown>();
    await trunk
      .dial({
        callSid: "CA1",
        to: "+12025550100",
        callerId: null,
        offer,
        onEvent: (event) => event.type === "ended" && ended.resolve(event.cause),
      })
      .catch(ended.resolve);
    await ended.promise;
    expect(trunk.state?.()).toEqual({ level: "down", sentence });
    expect(peer.all).toEqual([]);
  });
});

/** A port that accepts connections, says this, and never answers. */
async function openTcpPort(greeting: string, host: string): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    if (greeting !== "") socket.write(greeting);
  });
  server.listen(0, host);
  await once(server, "listening");
  closers.push(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

async function openUdpPort(): Promise<number> {
  const socket = createSocket("udp4").bind(0, another);
  await once(socket, "listening");
  closers.push(() => socket.close());
  return socket.address().port;
}

/** All of 127.0.0.0/8 leads here, but only 127.0.0.1 is an address of this machine's interfaces. */
const another = "127.0.0.2";
const silently = () => openTcpPort("", another);
const greeting = "SSH-2.0-OpenSSH_9.9\r\n";

describe("a test of a trunk that doesn't respond", () => {
  it.each([
    ["by address over TCP", { transport: "tcp", authentication: "ip" }, silently],
    ["with a registration over TCP", { transport: "tcp" }, silently],
    ["over UDP", { transport: "udp", authentication: "ip" }, openUdpPort],
    ["over TLS to a silent port", { transport: "tls", authentication: "ip" }, silently],
    ["over TLS to a port without it", { transport: "tls", authentication: "ip" }, () => openTcpPort(greeting, another)],
  ])("%s says the same, after the same time, about a closed port and an open one", async (_, given, openPort) => {
    const ports = [await freePort(), await openPort()];
    const [closed, taken] = await Promise.all(
      ports.map(async (port) => {
        const trunk = await open({ host: `${another}:${port}`, ...given });
        const startedMs = performance.now();
        const found = (await trunk.check?.())?.find(({ what }) => what === "Reach it");
        return { found, tookMs: performance.now() - startedMs };
      }),
    );
    expect(closed?.found).toMatchObject({ ok: false, sentence: expect.stringContaining("No response.") });
    expect(taken?.found).toEqual(closed?.found);
    // The time would give it away: a closed port refuses immediately, a silent one times out.
    expect(closed?.tookMs).toBeGreaterThan((taken?.tookMs ?? 0) * 0.9);
  });

  it("says that a provider's port doesn't use TLS, but not of a port on this machine", async () => {
    const options = { vouchesFor: () => false };
    const sentences = [another, "127.0.0.1"].map(async (host) => {
      const port = await openTcpPort(greeting, host);
      const trunk = await open({ host: `${host}:${port}`, transport: "tls", authentication: "ip" }, options);
      return (await trunk.check?.())?.find(({ what }) => what === "Reach it")?.sentence;
    });
    expect(await Promise.all(sentences)).toEqual([
      expect.stringContaining("It doesn’t use TLS on that port."),
      expect.stringContaining("No response."),
    ]);
  });
});

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

describe("a test of a trunk that doesn't respond", () => {
  it.each([
    ["by address", {}],
    ["with a registration", { authentication: "register" }],
  ])(
    "%s says the same, after the same time, about a closed port and one that accepts connections silently",
    async (_, given) => {
      const sockets: Socket[] = [];
      const silent = createServer((socket) => void sockets.push(socket));
      silent.listen(0, "127.0.0.1");
      await once(silent, "listening");
      closers.push(() => {
        sockets.forEach((socket) => socket.destroy());
        silent.close();
      });
      const address = silent.address();
      const ports = [await freePort(), typeof address === "object" ? (address?.port ?? 0) : 0];
      const [closed, taken] = await Promise.all(
        ports.map(async (port) => {
          const trunk = await open({ host: `127.0.0.1:${port}`, transport: "tcp", authentication: "ip", ...given });
          const startedMs = performance.now();
          const found = (await trunk.check?.())?.find(({ what }) => what === "Reach it");
          return { found, tookMs: performance.now() - startedMs };
        }),
      );
      expect(closed?.found).toMatchObject({ ok: false, sentence: expect.stringContaining("No response.") });
      expect(taken?.found).toEqual(closed?.found);
      // The time would give it away: a closed port refuses immediately, a silent one times out.
      expect(closed?.tookMs).toBeGreaterThan((taken?.tookMs ?? 0) * 0.9);
    },
  );
});

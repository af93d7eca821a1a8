import { networkInterfaces } from "node:os";

import { openRtpSocket } from "@leadline/adapter-kit/rtp/rtp-socket";
import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { writeRtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { createRtpSender } from "@leadline/adapter-kit/rtp/rtp-sender";
import { silence } from "@leadline/adapter-kit/rtp/g711";
import { carrier } from "@leadline/carrier-sip-trunk/server";
import { openSipPeer } from "@leadline/carrier-sip-trunk/testing/sip-peer";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import type { MediaPlane } from "./media-plane.ts";
import { createWeriftMediaPlane } from "./werift-media-plane.ts";

const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
const [elsewhere] = addresses.filter(({ family, internal }) => family === "IPv4" && !internal);
const places = [{ host: "127.0.0.1", publicAddress: "127.0.0.2", expected: "127.0.0.2" }];
// A machine without a network only has loopback to test with, and may have no IPv6.
if (elsewhere) places.push({ host: elsewhere.address, publicAddress: "", expected: elsewhere.address });
if (addresses.some(({ address }) => address === "::1"))
  places.push({ host: "::1", publicAddress: "", expected: "::1" });

describe("audio between the media plane and a trunk that is not on this machine's loopback", () => {
  let plane: MediaPlane;
  beforeAll(async () => {
    plane = await createWeriftMediaPlane();
  });
  afterAll(() => plane.shutDown());

  it.each(places)("flows both ways by $expected for a trunk at $host", async ({ host, publicAddress, expected }) => {
    const written = host.includes(":") ? `[${host}]` : host;
    const rtp = await openRtpSocket(host);
    let arrived = 0;
    rtp.on("message", () => arrived++);
    const own = { codecs: ["PCMU" as const], telephoneEventType: null };
    let described = "";
    const far = await openSipPeer({
      host,
      onHeard(heard) {
        if (heard.what === "OPTIONS" || heard.what === "BYE") heard.reply(200);
        if (heard.what !== "INVITE") return;
        described = heard.body;
        const body = writeRtpDescription({ ...own, host, port: rtp.address().port });
        heard.reply(200, { headers: [`Contact: <sip:far@${written}:${far.port}>`], body });
      },
    });
    const trunk = await carrier.open(
      carrier.settings.parse({
        host: `${written}:${far.port}`,
        transport: "udp",
        authentication: "ip",
        publicAddress: publicAddress || null,
      }),
    );
    const { legId, offer } = await plane.openCarrierLeg();
    const leg = await trunk.dial({
      callSid: "CA1",
      to: "+12025550101",
      callerId: null,
      offer,
      onEvent: (event) => event.type === "answered" && void plane.acceptCarrierAnswer(legId, event.answer),
    });
    await vi.waitFor(() => expect(arrived).toBeGreaterThan(5));
    const there = readRtpDescription(described);
    expect(there?.host).toBe(expected);
    expect(described).toMatch(new RegExp(String.raw`^o=- \d+ \d+ IN IP[46] ${expected}\r$`, "m"));
    const sender = createRtpSender();
    for (let i = 0; i < 10; i++) rtp.send(writeRtpPacket(sender.sound(0, silence.PCMU)), there?.port ?? 0, there?.host);
    await vi.waitFor(async () => expect((await plane.stats(legId))?.packetsReceived).toBe(10));
    await leg.hangUp();
    await plane.close(legId);
    await trunk.close();
    await far.close();
    rtp.close();
  });
});

import type { Carrier, CarrierLegEvent, InboundCall } from "@leadline/adapter-kit/carrier";
import { loudness, purestShareAt, shareAt } from "@leadline/adapter-kit/conformance/tone";
import { silence } from "@leadline/adapter-kit/rtp/g711";
import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { writeRtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { createRtpSender } from "@leadline/adapter-kit/rtp/rtp-sender";
import { openRtpSocket } from "@leadline/adapter-kit/rtp/rtp-socket";
import { cryptoSuites, drawSdesKeys, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { settings } from "@leadline/carrier-sip-trunk/settings";
import { makeCertificate } from "@leadline/carrier-sip-trunk/testing/make-certificate";
import { type Baresip, startBaresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { account, number, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { startDns } from "@leadline/carrier-sip-trunk/testing/start-dns";
import { until } from "@leadline/carrier-sip-trunk/testing/start-program";
import { soundOfWave } from "@leadline/carrier-sip-trunk/testing/wave";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { expectPure } from "../testing/media/expect-pure.ts";
import type { MediaPlane } from "./media-plane.ts";
import { openMediaPlane } from "./open-media-plane.ts";
import { createLog } from "../log.ts";
import { openSrtpFarEnd } from "../testing/media/encrypting-far-end.ts";
import { openTestBrowser, type TestBrowser } from "../testing/media/test-browser.ts";
import { createWeriftMediaPlane } from "./werift-media-plane.ts";
import { createSealing } from "./worker/srtp-encryption.ts";
import { roomsOf } from "../testing/media/rooms-of.ts";

const did = "+442079460123";

let nodes: { host: string; port: number }[] = [];
const places = ["in this process", "on an rtpengine"] as const;

async function openPlane(where: (typeof places)[number], { peers, folder, keep }: Stage): Promise<MediaPlane> {
  if (where === "in this process") return createWeriftMediaPlane();
  const { port } = await keep(startRtpengine(peers, { folder }));
  nodes = [{ host: "127.0.0.1", port }];
  return openMediaPlane({ rtpengines: nodes, mediaAddress: null }, createLog("fatal"));
}

describe.each(places)("audio over a TLS trunk, carried %s", (where) => {
  let stage: Stage;
  let plane: MediaPlane;
  const rooms = roomsOf(() => plane);
  let tls: Awaited<ReturnType<typeof makeCertificate>>;
  let dns: Awaited<ReturnType<typeof startDns>>;
  let browser: TestBrowser;
  let browserLegId: string;
  beforeAll(async () => {
    stage = await openStage();
    plane = await openPlane(where, stage);
    tls = await makeCertificate(stage.peers, stage.folder, "trunk.test");
    dns = await startDns([{ name: "trunk.test", type: "A", address: "127.0.0.1" }]);
    browser = await openTestBrowser();
    const connected = new Promise<void>((resolve) =>
      plane.onBrowserLegState(({ state }) => state === "connected" && resolve()),
    );
    const { legId, answer } = await plane.openBrowserLeg(browser.offer);
    browserLegId = legId;
    await browser.acceptAnswer(answer);
    await connected;
    browser.sendTone(800);
  });
  afterAll(async () => {
    await browser.close();
    await plane.shutDown();
    dns.close();
    await stage.close();
  });

  const baresip = (encryption: string): Promise<Baresip> =>
    stage.keep(
      startBaresip(stage.peers, {
        folder: stage.folder,
        user: number("02"),
        account: `;answermode=auto${encryption}`,
        toneHz: 500,
        lines: [`sip_certificate ${tls.both}`, `sip_cafile ${tls.certificate}`, "module srtp.so"],
      }),
    );

  const trunkTo = (port: number, rest: object = {}, inbound?: (call: InboundCall) => void): Promise<Carrier> =>
    openSipTrunk(
      settings.parse({
        host: `trunk.test:${port}`,
        transport: "tls",
        authentication: "ip",
        certificateAuthority: tls.authority,
        ...rest,
      }),
      { resolver: dns.resolver, ...(inbound && { listener: { onState: () => {}, onInbound: inbound } }) },
    );

  /** A media-plane leg that is bridged to the browser and follows its carrier's signalling. */
  async function openLeg() {
    const { legId, offer } = await plane.openCarrierLeg({ browserLegId });
    await rooms.talk(browserLegId, legId);
    const events: CarrierLegEvent[] = [];
    const onEvent = (event: CarrierLegEvent): void => {
      events.push(event);
      if ("answer" in event) void plane.acceptCarrierAnswer(legId, event.answer);
    };
    const last = (type: CarrierLegEvent["type"]) => events.findLast((event) => event.type === type);
    return { legId, offer, onEvent, last, answered: () => until("answered", () => last("answered") !== undefined) };
  }

  async function call(trunk: Carrier, write = (offer: string): string => offer) {
    const leg = await openLeg();
    const rest = { callSid: "CA1", to: number("02"), callerId: null, onEvent: leg.onEvent };
    return { ...leg, dialled: await trunk.dial({ ...rest, offer: write(leg.offer) }) };
  }

  async function expectHeardThere(callee: Baresip): Promise<void> {
    await until("the callee is done", () => callee.events.some(({ type }) => type === "CALL_CLOSED"));
    // The callee starts a new recording at each change of the call.
    const heard = await Promise.all((await callee.recordings()).map(soundOfWave));
    expect(Math.max(...heard.map((sound) => purestShareAt(800, sound)))).toBeGreaterThan(0.5);
  }

  it.each(cryptoSuites)(
    "is encrypted with %s in both directions, through hold and resume from either end",
    async (suite) => {
      const callee = await baresip(";mediaenc=srtp-mand");
      const trunk = await trunkTo(callee.port + 1, { codecs: ["PCMA"] });
      const sentence = "On, if the other side supports it.";
      expect(await trunk.check?.()).toContainEqual({ what: "Encryption", ok: true, sentence });
      const withOneKey = (offer: string): string =>
        offer.replaceAll(/a=crypto:\d (\S+) .*\r\n/g, (key, named) => (named === suite ? key : ""));
      const { dialled, answered, last, legId } = await call(trunk, withOneKey);
      await answered();
      expect(last("answered")).toMatchObject({ answer: expect.stringMatching(/ RTP\/SAVP [^]*a=crypto:/) });
      expect(last("answered")).toMatchObject({ answer: expect.stringContaining(suite) });
      await expectPure(500, browser);
      await dialled.setHold?.(true);
      await dialled.setHold?.(false);
      callee.command("hold");
      await until("silence from there", async () => (await browser.listen(200)).length === 0);
      callee.command("resume");
      await expectPure(500, browser);
      await browser.listen(1_000);
      await dialled.hangUp();
      await plane.close(legId);
      await expectHeardThere(callee);
      await trunk.close();
    },
  );

  it("is encrypted when the far end calls, and an unencrypted caller is refused where encryption is required", async () => {
    const { port } = await stage.kamailio({ tls, callees: {} });
    const calls: InboundCall[] = [];
    const signIn = { authentication: "register", ...account, mediaEncryption: "required" };
    const trunk = await trunkTo(port + 2, signIn, (came) => void calls.push(came));
    await until("registered", () => trunk.state?.().level === "working");
    const [caller, clear] = await Promise.all([baresip(";mediaenc=srtp-mand"), baresip("")]);
    const callUs = `sip:${did}@127.0.0.1:${port + 2};transport=tls`;
    clear.command("dial", callUs);
    await until("the refusal", () => clear.events.some(({ type }) => type === "CALL_CLOSED"));
    expect(clear.events.findLast(({ type }) => type === "CALL_CLOSED")?.param).toContain("488");
    expect(calls).toHaveLength(0);
    caller.command("dial", callUs);
    await until("the call", () => calls.length > 0);
    const leg = await openLeg();
    const answered = await calls[0]?.answer({ offer: leg.offer, onEvent: leg.onEvent });
    await leg.answered();
    await expectPure(500, browser);
    await browser.listen(1_000);
    await answered?.hangUp();
    await plane.close(leg.legId);
    await expectHeardThere(caller);
    await trunk.close();
  });

  it("falls back to plain RTP if the far end doesn't encrypt and that is allowed; otherwise the call reports why it ended", async () => {
    const callee = await baresip("");
    const [trunk, strict] = await Promise.all([
      trunkTo(callee.port + 1),
      trunkTo(callee.port + 1, { mediaEncryption: "required" }),
    ]);
    const refused = await call(strict);
    await until("the end", () => refused.last("ended") !== undefined);
    expect(refused.last("ended")).toMatchObject({ cause: { reason: "not-encrypted" } });
    await plane.close(refused.legId);
    const { dialled, answered, last, legId } = await call(trunk);
    await answered();
    expect(last("answered")).toMatchObject({ answer: expect.not.stringContaining("crypto") });
    await expectPure(500, browser);
    await dialled.hangUp();
    await plane.close(legId);
    await Promise.all([trunk.close(), strict.close()]);
  });

  it("drops packets that are encrypted with another key, tampered with, replayed, or unencrypted", async () => {
    const { legId, offer } = await openLeg();
    const { length } = browser.packets;
    const socket = await openRtpSocket("127.0.0.1");
    const own = { host: "127.0.0.1", port: socket.address().port, codecs: ["PCMU" as const], telephoneEventType: null };
    const [key, foreign] = [drawSdesKeys().slice(0, 1), drawSdesKeys().slice(0, 1)];
    await plane.acceptCarrierAnswer(legId, withSdesKeys(writeRtpDescription(own), key));
    const [genuine, stranger] = [createSealing(key), createSealing(foreign)];
    for (const end of [genuine, stranger]) end.agree(offer);
    const packet = createRtpSender().sound(0, silence.PCMU);
    const sealed = genuine.encrypt(packet);
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(50) ^ 1, 50);
    const there = readRtpDescription(offer)?.port;
    for (const each of [writeRtpPacket(packet), stranger.encrypt(packet), changed, sealed, sealed])
      socket.send(each, there, "127.0.0.1");
    const last = genuine.encrypt({ ...packet, sequenceNumber: packet.sequenceNumber + 1 });
    socket.send(last, there, "127.0.0.1");
    const heard = () => browser.packets.slice(length).map(({ sequenceNumber }) => sequenceNumber);
    // rtpengine forwards duplicate packets: browsers drop them (RFC 3711, section 3.3.2).
    const toBrowser = () => (where === "on an rtpengine" ? [...new Set(heard())] : heard());
    await until("the genuine ones", () => toBrowser().length >= 2);
    expect(toBrowser()).toHaveLength(2);
    socket.close();
    await plane.close(legId);
  });

  it("keeps its SRTP keys through hold, DTMF, a change of tab and of ICE path, and follows new keys from the far end", async () => {
    const farEnd = await openSrtpFarEnd();
    const { legId, offer } = await openLeg();
    farEnd.acceptAnswer(offer);
    farEnd.sendTone(1_000);
    await plane.acceptCarrierAnswer(legId, farEnd.offer);
    await expectPure(1_000, browser);
    await expectPure(800, farEnd);
    await rooms.hold(legId, true);
    await vi.waitFor(async () => expect(shareAt(800, await farEnd.listen(300))).toBeLessThan(0.5));
    expect(loudness(await farEnd.listen(300))).toBeGreaterThan(100);
    await rooms.hold(legId, false);
    await expectPure(800, farEnd);
    await plane.sendDigits(legId, "7");
    await vi.waitFor(() =>
      expect(farEnd.packets.some(({ payloadType }) => payloadType === farEnd.keysType)).toBe(true),
    );

    farEnd.drawKey("AES_CM_128_HMAC_SHA1_32");
    await plane.acceptCarrierAnswer(legId, farEnd.offer);
    await expectPure(1_000, browser);
    const next = await openTestBrowser();
    next.sendTone(600);
    const { legId: nextLegId, answer } = await plane.openBrowserLeg(next.offer, { carrierLegId: legId });
    await next.acceptAnswer(answer);
    await rooms.talk(nextLegId, legId);
    await expectPure(1_000, next);
    const { answer: restarted } = await plane.restartBrowserLeg(nextLegId, await next.restartOffer());
    await next.acceptAnswer(restarted);
    void next.connection.iceTransports[0]?.start();
    await expectPure(600, farEnd);

    if (where === "on an rtpengine") await goOnElsewhere();
    async function goOnElsewhere(): Promise<void> {
      const after = await openMediaPlane({ rtpengines: nodes, mediaAddress: null }, createLog("fatal"));
      await after.restore([JSON.parse(JSON.stringify(plane.snapshot(legId)))]);
      await expectPure(600, farEnd);
      farEnd.drawKey();
      await after.acceptCarrierAnswer(legId, farEnd.offer);
      await expectPure(1_000, next);
      await expectPure(600, farEnd);
      await after.shutDown();
    }

    await plane.acceptCarrierAnswer(legId, farEnd.clearOffer);
    farEnd.speakClear();
    await expectPure(1_000, next);
    await expectPure(600, farEnd);
    farEnd.acceptAnswer(offer);
    await plane.acceptCarrierAnswer(legId, farEnd.offer);
    await expectPure(1_000, next);
    await expectPure(600, farEnd);
    await plane.close(legId);
    await next.close();
    farEnd.close();
  });
});

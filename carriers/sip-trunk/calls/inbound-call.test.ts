import { setTimeout as sleep } from "node:timers/promises";

import type { CarrierLegEvent, InboundCall } from "@leadline/adapter-kit/carrier";
import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { openSipPeer } from "../testing/sip-peer.ts";
import { freePort, until } from "../testing/start-program.ts";

const codecs: ("PCMU" | "PCMA")[] = ["PCMU", "PCMA"];
const sound = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs, telephoneEventType: null });

describe("an inbound call", () => {
  let peer: Awaited<ReturnType<typeof openSipPeer>>;
  let closers: (() => Promise<void>)[];
  beforeEach(async () => {
    peer = await openSipPeer({ onHeard: (heard) => heard.what === "OPTIONS" && heard.reply(200) });
    closers = [() => peer.close()];
  });
  afterEach(async () => {
    for (const close of closers.toReversed()) await close();
  });

  async function openTrunk(rest: object = {}) {
    const localPort = await freePort();
    const calls: InboundCall[] = [];
    const given = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip", localPort, ...rest };
    const trunk = await openSipTrunk(settings.parse(given), {
      listener: { onState: () => {}, onInbound: (call) => void calls.push(call) },
    });
    closers.push(() => trunk.close());
    await until("we are known", () => peer.heard("OPTIONS").length > 0);
    const ring = async (headers: string[] = []): Promise<InboundCall> => {
      peer.sendCall(localPort, "INVITE", { callId: `in-${localPort}-${calls.length}`, headers, body: sound });
      const before = calls.length;
      await until("a call", () => calls.length > before);
      const call = calls[before];
      if (!call) throw new Error("no call came");
      return call;
    };
    return { trunk, ring, localPort, calls };
  }

  it.each([
    ["a name that is no name", "<sip:%@x>", "%"],
    ["a name written with signs", "<sip:%2B442071838750@x>", "+442071838750"],
    ["a telephone number", "<tel:+44-20-7183-8750>", "+442071838750"],
    ["a telephone number beside a name", '"Ada" <sip:ada@x>, <tel:+442071838750>', "+442071838750"],
  ])("rings with the caller asserted by %s, and can be cancelled", async (_, asserted, from) => {
    const { ring, localPort } = await openTrunk();
    const call = await ring([`P-Asserted-Identity: ${asserted}`]);
    expect(call.from).toBe(from);
    call.refuse("busy");
    await until("the refusal", () => peer.heard("486").length > 0);
    peer.sendCall(localPort, "ACK", { callId: `in-${localPort}-0` });
  });

  it("is refused once, without retransmissions, if it claims an unknown dialog", async () => {
    const { localPort } = await openTrunk();
    peer.sendCall(localPort, "INVITE", { callId: "none", toTag: "none", body: sound });
    await until("the refusal", () => peer.heard("481").length > 0);
    await sleep(700);
    expect(peer.heard("481").length).toBe(1);
  });

  it("uses the codec of our answer in both directions", async () => {
    const { ring } = await openTrunk({ codecs: ["PCMA"] });
    const call = await ring();
    const events: CarrierLegEvent[] = [];
    await call.answer({ offer: sound, onEvent: (event) => void events.push(event) });
    await until("our answer", () => peer.heard("200").some(({ body }) => body !== ""));
    const answered = peer.heard("200").find(({ body }) => body !== "");
    expect(readRtpDescription(answered?.body ?? "")?.codecs).toEqual(["PCMA"]);
    const [told] = events;
    expect(told?.type === "answered" && readRtpDescription(told.answer)?.codecs).toEqual(["PCMA"]);
  });

  it("is refused before ringing if none of its audio is usable", async () => {
    const { localPort, calls } = await openTrunk({ codecs: ["PCMA"] });
    peer.sendCall(localPort, "INVITE", { callId: "foreign", body: sound.replace(" 0 8", " 0") });
    await until("the refusal", () => peer.heard("488").length > 0);
    expect(calls).toEqual([]);
  });

  it.each([
    [
      "names no sound",
      "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 9 RTP/AVP 31\r\n",
    ],
    ["says nothing", ""],
  ])("that leaves the offer to us ends if it then %s", async (_, body) => {
    const { localPort, calls } = await openTrunk();
    peer.sendCall(localPort, "INVITE", { callId: "late" });
    await until("the call", () => calls.length > 0);
    const events: CarrierLegEvent[] = [];
    await calls[0]?.answer({ offer: sound, onEvent: (event) => void events.push(event) });
    await until("our answer", () => peer.heard("200").some((heard) => heard.body !== ""));
    const toTag =
      /tag=(\S+)/.exec(
        peer
          .heard("200")
          .find((heard) => heard.body !== "")
          ?.header("to") ?? "",
      )?.[1] ?? "";
    peer.sendCall(localPort, "ACK", { callId: "late", toTag, body });
    await until("the end", () => events.length > 0);
    expect(events).toEqual([{ type: "ended", cause: { reason: "carrier-refused", sip: 488, q850: 88 } }]);
    await until("the far end is told", () => peer.heard("BYE").length > 0);
  });

  it("is given the address to send its audio to", async () => {
    const { ring } = await openTrunk({ publicAddress: "203.0.113.7" });
    const call = await ring();
    await call.answer({ offer: sound, onEvent: () => {} });
    await until("our answer", () => peer.heard("200").some(({ body }) => body !== ""));
    const answered = peer.heard("200").find(({ body }) => body !== "");
    expect(readRtpDescription(answered?.body ?? "")?.host).toBe("203.0.113.7");
  });
});

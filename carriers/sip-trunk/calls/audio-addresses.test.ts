import { afterEach, describe, expect, it } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";
import { until } from "../testing/start-program.ts";
import type { DnsResolver } from "../transport/locate.ts";
import { placeAudio } from "./place-audio.ts";

const none = async () => [];
const unknown: DnsResolver = { resolveNaptr: none, resolveSrv: none, resolve4: none, resolve6: none, lookup: none };
const names: Record<string, string[]> = {
  "inside.example": ["10.0.0.5"],
  "here.example": ["10.0.0.5", "127.0.0.1"],
  localhost: ["127.0.0.1"],
};
const known: DnsResolver = { ...unknown, resolve4: async (name) => names[name] ?? [] };
const cause = { reason: "audio-address-refused", sip: null, q850: null };

let raw: RawTrunk;
afterEach(() => raw.close());
const open = async (resolver = known) => (raw = await openRawTrunk({}, {}, { resolver }));
const at = (host: string) => raw.rtp.describe().replace(/^c=.*$/m, `c=IN IP${host.includes(":") ? 6 : 4} ${host}`);

async function connected() {
  const call = await raw.dial();
  raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
  await call.answered();
  await raw.peer.next("ACK");
  return { ...call, dialog: raw.peer.asCallee(call.invite) };
}

async function expectBye(): Promise<void> {
  const bye = await raw.peer.next("BYE");
  expect(bye.header("reason")).toBe('Q.850;cause=88;text="Audio address refused"');
  raw.peer.reply(bye, "200 OK");
}

describe("an audio address that isn't allowed", () => {
  it.each([
    ["10.1.2.3", "10.1.2.3"],
    ["169.254.169.254", "169.254.169.254"],
    ["192.168.1.1", "192.168.1.1"],
    ["224.0.0.9", "224.0.0.9"],
    ["fd00::1", "fd00::1"],
    ["::ffff:10.1.2.3", "::ffff:10.1.2.3"],
    ["inside.example", "10.0.0.5"],
  ])("in an answer, %s, ends the call immediately and is reported to the operator", async (host, address) => {
    await open();
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK", { body: at(host) });
    expect(await call.ended()).toEqual(cause);
    expect(call.kinds()).toBe("ended");
    await expectBye();
    expect(raw.audioRefused).toEqual([{ host, address }]);
  });

  it("in early media cancels the call", async () => {
    await open();
    const call = await raw.dial();
    raw.peer.reply(call.invite, "183 Session Progress", { body: at("10.1.2.3") });
    expect(await call.ended()).toEqual(cause);
    const cancel = await raw.peer.next("CANCEL");
    expect(cancel.header("reason")).toContain("cause=88");
    raw.peer.reply(cancel, "200 OK", { contact: null });
    raw.peer.reply(call.invite, "487 Request Terminated", { contact: null });
    await raw.peer.next("ACK");
    expect(call.kinds()).toBe("ended");
  });

  it.each(["INVITE", "UPDATE"])("in a change by %s ends the call", async (method) => {
    await open();
    const call = await connected();
    raw.peer.request(call.dialog, method, { cseq: 7, body: at("169.254.169.254") });
    expect(await call.ended()).toEqual(cause);
    expect(call.kinds()).toBe("answered ended");
    await expectBye();
  });

  it("in the answer to our own change ends the call", async () => {
    await open();
    const call = await connected();
    void call.leg.setHold?.(true);
    raw.peer.reply(await raw.peer.next("INVITE"), "200 OK", { body: at("10.1.2.3") });
    expect(await call.ended()).toEqual(cause);
    await expectBye();
  });

  it("in the offer of an inbound call is refused before ringing", async () => {
    await open();
    raw.peer.send(raw.peer.write("INVITE", raw.place, { callId: "in", body: at("10.1.2.3") }), raw.place);
    await raw.peer.next("488");
    expect(raw.calls).toEqual([]);
    expect(raw.audioRefused).toEqual([{ host: "10.1.2.3", address: "10.1.2.3" }]);
  });

  it("in an ACK that answers our offer ends the call", async () => {
    await open();
    const { kinds } = await raw.take(await raw.ring(raw.peer.write("INVITE", raw.place, { callId: "in" })));
    const ok = await raw.peer.next("200");
    raw.peer.request({ ...raw.peer.asCaller(ok), place: raw.place }, "ACK", { cseq: 1, body: at("10.1.2.3") });
    await until("the end", () => kinds.length > 0);
    expect(kinds).toEqual(["ended"]);
    await expectBye();
  });

  it("is skipped if the host has another one", async () => {
    await open();
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK", { body: at("here.example") });
    await call.answered();
    expect(await raw.talk(call.endpoint)).toBeGreaterThan(0.9);
    expect(call.events.find((event) => "answer" in event)).toMatchObject({
      answer: expect.stringContaining("c=IN IP4 127.0.0.1\r\n"),
    });
  });
});

describe("the audio address", () => {
  it("is missing if the host can't be resolved, and the call ends for that", async () => {
    await open();
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK", { body: at("nobody.example") });
    expect((await call.ended()).reason).toBe("network-failure");
    expect(raw.audioRefused).toEqual([{ host: "nobody.example", address: null }]);
    raw.peer.reply(await raw.peer.next("BYE"), "200 OK");
  });

  it("is not waited for indefinitely if DNS doesn't respond", async () => {
    const never = () => new Promise<never>(() => {});
    await open({ ...unknown, resolve4: never, resolve6: never, lookup: never });
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK", { body: at("silent.example") });
    expect((await call.ended(30_000)).reason).toBe("network-failure");
    raw.peer.reply(await raw.peer.next("BYE"), "200 OK");
  });

  it("isn't overtaken by a later one while its host is looked up", async () => {
    const slow = Promise.withResolvers<string[]>();
    await open({ ...unknown, resolve4: () => slow.promise });
    const call = await connected();
    raw.peer.request(call.dialog, "UPDATE", { cseq: 7, body: at("slow.example").replace(/audio \d+/, "audio 4444") });
    await raw.peer.next(({ what, header }) => what === "200" && header("cseq") === "7 UPDATE");
    raw.peer.request(call.dialog, "UPDATE", { cseq: 8, body: raw.rtp.describe().replace(/audio \d+/, "audio 5555") });
    await raw.peer.next(({ what, header }) => what === "200" && header("cseq") === "8 UPDATE");
    slow.resolve(["127.0.0.1"]);
    await until("both are told", () => call.events.length === 3);
    const ports = call.events.flatMap((event) => ("answer" in event ? [/audio (\d+)/.exec(event.answer)?.[1]] : []));
    expect(ports.slice(1)).toEqual(["4444", "5555"]);
  });

  it("behind a NAT is where the signalling comes from", async () => {
    await open();
    const ways = { transport: { mayReach: () => false }, addressesOf: none, onAudioRefused: () => {} };
    const placed = (host: string, peer: string) => placeAudio(ways, at(host), peer);
    expect(placed("10.1.2.3", "45.45.45.45")).toMatchObject({ sdp: expect.stringContaining("c=IN IP4 45.45.45.45") });
    expect(placed("10.1.2.3", "127.0.0.1")).toEqual({ host: "10.1.2.3", address: "10.1.2.3" });
    expect(placed("169.254.169.254", "45.45.45.45")).toEqual({ host: "169.254.169.254", address: "169.254.169.254" });
  });
});

it("an IPv6 audio address is written as the far end's packets will show it", async () => {
  await open();
  const ways = { addressesOf: none, onAudioRefused() {}, transport: { mayReach: () => true } };
  expect(placeAudio(ways, at("2606:4700:4700:0:0:0:0:11AF"), null)).toEqual({ sdp: at("2606:4700:4700::11af") });
});

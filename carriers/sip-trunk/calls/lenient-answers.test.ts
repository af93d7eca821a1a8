import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";
import { until } from "../testing/start-program.ts";
import { writeResponse } from "../testing/raw-sip.ts";

/** A response after these changes of its text. */
const changed =
  (...changes: [string | RegExp, string][]) =>
  (text: string): string =>
    changes.reduce((each, [what, by]) => each.replace(what, by), text);

let raw: RawTrunk;
beforeEach(async () => {
  raw = await openRawTrunk();
});
afterEach(() => raw.close());

/** Variations that Asterisk and FreeSWITCH understand. */
const variants: [string, (text: string) => string][] = [
  ["without a Contact", changed([/Contact: .*\r\n/, ""])],
  ["with a Contact that says nothing", changed([/Contact: .*\r\n/, "Contact: \r\n"])],
  ["without a To tag", changed([";tag=peer", ""])],
  ["with a tel: Contact", changed([/Contact: .*\r\n/, "Contact: <tel:+12025550101>\r\n"])],
  ["with a Contact without angle brackets", changed([/Contact: <(.*)>/, "Contact: $1"])],
  ["with a semicolon in its Contact's user", changed(["<sip:peer@", "<sip:+12025550101;npdi;rn=+1202@"])],
  ["with a comma in its Contact's display name", changed(["Contact: <", 'Contact: "Desk, \\"front\\"" <'])],
  [
    "in compact headers",
    changed(
      ["Via:", "v:"],
      ["From:", "f:"],
      ["To:", "t:"],
      ["Call-ID:", "i:"],
      ["Contact:", "m:"],
      ["Content-Type:", "c:"],
      ["Content-Length:", "l:"],
    ),
  ],
  ["in lower-case headers", (text) => text.replaceAll(/^[\w-]+:/gm, (name) => name.toLowerCase())],
  [
    "in upper-case headers with spaces before the colon",
    (text) => text.replaceAll(/^([\w-]+):/gm, (_, name: string) => `${name.toUpperCase()} :`),
  ],
  ["with line feeds alone", (text) => text.replaceAll("\r\n", "\n")],
  [
    "with line feeds alone in its head",
    (text) => text.replace(/^.*?\r\n\r\n/s, (head) => head.replaceAll("\r\n", "\n")),
  ],
  ["without a Content-Length", changed([/Content-Length: .*\r\n/, ""])],
  ["with a CSeq folded right after its colon", changed(["CSeq: ", "CSeq:\r\n "])],
  ["with a lower-case method in CSeq", changed([" INVITE\r\n", " invite\r\n"])],
  [
    "with headers folded",
    changed(["From: ", "From:\r\n\t"], ["Via: SIP/2.0/UDP ", "Via: SIP/2.0/UDP\r\n "], [";branch=", ";\r\n branch="]),
  ],
  ["without a reason phrase", changed(["SIP/2.0 200 OK", "SIP/2.0 200"])],
  ["with a reason phrase in Latin-1 and signs", changed(["200 OK", "200 D'accord: 100 % <ok>"])],
  ["with received and rport in its Via", changed([";rport", ";rport=5999;received=203.0.113.9"])],
  ["with a second Via", changed([/(Via: .*\r\n)/, "$1Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKother\r\n"])],
  ["with an IPv6 address that it was received from", changed([";rport", ";rport=5999;received=[2001:db8::9]"])],
  [
    "with headers and two places in its Contact",
    changed([/Contact: <(.*)>/, "Contact: <$1?Subject=x>;q=1,<sip:x@192.0.2.9>"]),
  ],
  ["with spaces between the words of its first line", changed(["SIP/2.0 200 OK", "sip/2.0  200   Okay  then"])],
  ["with zeros before its CSeq's number", changed(["CSeq: ", "CSeq: 000"])],
  ["without the type of its body", changed([/Content-Type: .*\r\n/, ""])],
  ["with a header that nobody knows", changed(["CSeq:", "X-Odd Header: what\r\nX-Bin: \u0001\u00ff\r\nCSeq:"])],
  ["with empty lines before it", (text) => `\r\n\r\n${text}`],
];

describe("an answered call", () => {
  it.each<[string, (sdp: string) => string]>([
    ["two spaces in its audio line", changed(["m=audio ", "m=audio  "], ["AVP 0", "AVP   0"])],
    ["a space before the number of a codec", changed(["a=rtpmap:0", "a=rtpmap: 0"], ["a=fmtp:101", "a=fmtp : 101"])],
    ["spaces around the equals sign", changed(["c=IN", "c= IN"], ["m=audio", "m =  audio"])],
    ["tabs for spaces", (sdp) => sdp.replace(/^[cma]=.*$/gm, (line) => line.replaceAll(" ", "\t"))],
    ["its address's type in lower case", changed(["c=IN IP4", "c=in ip4"])],
    ["its medium in upper case", changed(["m=audio", "m=AUDIO"])],
    ["the names of its attributes in upper case", (sdp) => sdp.replaceAll(/^a=\w+/gm, (name) => name.toUpperCase())],
    ["everything in upper case", (sdp) => sdp.toUpperCase()],
    ["spaces at the ends of its lines", (sdp) => sdp.replaceAll("\r\n", " \t\r\n")],
  ])("by a description with %s has audio both ways", async (_, write) => {
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK", { body: write(raw.rtp.describe()) });
    await call.answered();
    expect(await raw.talk(call.endpoint)).toBeGreaterThan(0.9);
  });

  it.each(["a= sendonly", "a=SendOnly", "A=sendonly "])("is put on hold by %j", async (line) => {
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
    await raw.peer.next("ACK");
    raw.peer.request(raw.peer.asCallee(call.invite), "INVITE", { cseq: 7, body: raw.rtp.describe([line]) });
    await call.told("held");
    expect(call.kinds()).toBe("answered redescribed held");
  });

  it.each(variants)("%s has audio both ways until it hangs up", async (_, write) => {
    const call = await raw.dial();
    const ok = writeResponse(call.invite, "200 OK", { contact: raw.peer.contact, body: raw.rtp.describe() });
    raw.peer.send(write(ok), call.invite.from);
    await call.answered();
    const ack = await raw.peer.next("ACK");
    expect(ack.header("cseq")).toBe(call.invite.header("cseq")?.replace("INVITE", "ACK"));
    expect(await raw.talk(call.endpoint)).toBeGreaterThan(0.9);
    // It is retransmitted if our ACK was lost, and acknowledged again.
    raw.peer.send(write(ok), call.invite.from);
    expect((await raw.peer.next("ACK")).text).toBe(ack.text);
    const leaving = call.leg.hangUp();
    const bye = await raw.peer.next("BYE");
    expect(bye.header("to")).toContain(write(ok).includes(";tag=peer") ? ";tag=peer" : ">");
    raw.peer.reply(bye, "200 OK", { contact: null });
    await leaving;
    expect(raw.peer.all("BYE")).toHaveLength(1);
    expect(raw.dropped).toEqual([]);
  });

  it.each<[string, { toTag?: null; contact?: null; body: boolean }]>([
    ["without a To tag", { toTag: null, body: false }],
    ["without a Contact", { contact: null, body: false }],
    ["with early media, without a To tag and a Contact", { toTag: null, contact: null, body: true }],
  ])("rings after a provisional response %s", async (_, { body, ...parts }) => {
    const call = await raw.dial();
    const sound = body ? { body: raw.rtp.describe() } : {};
    raw.peer.reply(call.invite, body ? "183 Session Progress" : "180 Ringing", { ...parts, ...sound });
    const told = body ? "early-media" : "ringing";
    await call.told(told, 2_000);
    expect(body ? await raw.talk(call.endpoint) : 1).toBeGreaterThan(0.9);
    raw.peer.reply(call.invite, "200 OK", { toTag: "other", body: raw.rtp.describe() });
    await call.answered();
    expect(call.kinds()).toBe(`${told} answered`);
    await raw.peer.next("ACK");
    expect(raw.dropped).toEqual([]);
  });

  it.each<[string, (text: string) => string]>([
    ["an extra empty line and no Content-Length", changed([/Content-Length: .*\r\n/, ""], [/$/, "\r\n"])],
    ["a body of no type", changed(["Content-Length: 0\r\n\r\n", "Content-Length: 5\r\n\r\nhello"])],
  ])("rings after a 180 with %s", async (_, write) => {
    const call = await raw.dial();
    raw.peer.send(write(writeResponse(call.invite, "180 Ringing", { contact: raw.peer.contact })), call.invite.from);
    await call.told("ringing", 2_000);
    expect(raw.dropped).toEqual([]);
    await call.leg.hangUp();
  });

  it("logs what it drops, and why", async () => {
    const call = await raw.dial();
    const answer = writeResponse(call.invite, "200 OK", { contact: raw.peer.contact, body: raw.rtp.describe() });
    const stray = `${answer.replace(/^SIP.*\r\n/, `ACK sip:agent@127.0.0.1 SIP/2.0\r\n`).replace("1 INVITE", "1 ACK")}`;
    const lines: [string, string][] = [
      ["SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP x;branch=z9hG4bKx\r\n\r\n", "It has no from header."],
      ["garbage", "It can't be read as a SIP message."],
      [stray, "It doesn’t acknowledge any call."],
      [answer.replaceAll(/branch=[^;\r]+/g, "branch=z9hG4bKnone"), "Discarding unmatched 200 response to INVITE"],
    ];
    for (const [text, why] of lines) {
      raw.peer.send(text, raw.place);
      await until(`"${why}" is told`, () => raw.dropped.some((each) => each.why.includes(why)));
    }
    expect(raw.dropped.map(({ from }) => from)).toEqual(lines.map(() => `UDP 127.0.0.1:${raw.peer.port}`));
    await call.leg.hangUp();
  });
});

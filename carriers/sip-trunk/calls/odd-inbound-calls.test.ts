import { setTimeout as sleep } from "node:timers/promises";

import { readRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";
import { writeInDialog } from "../testing/raw-sip.ts";
import type { Received } from "../testing/start-raw-peer.ts";

type Change = (text: string) => string;

let raw: RawTrunk;
beforeEach(async () => {
  raw = await openRawTrunk();
});
afterEach(() => raw.close());

const invite = (more: { headers?: string[]; body?: string; contentType?: string } = {}) =>
  raw.peer.write("INVITE", raw.place, { callId: "in", body: raw.rtp.describe(), ...more });
const answerTo = (cseq: string) =>
  raw.peer.next((message) => /^[2-6]/.test(message.what) && message.header("cseq") === cseq);

async function answered(text = invite()) {
  const call = await raw.take(await raw.ring(text));
  const ok = await raw.peer.next("200");
  const dialog = { ...raw.peer.asCaller(ok), place: raw.place };
  raw.peer.request(dialog, "ACK", { cseq: 1 });
  return { ...call, ok, dialog };
}

const parts = (sdp: string) =>
  `--x y\r\nContent-Type: application/isup;version=itu-t92+\r\nContent-Disposition: signal;handling=optional\r\n\r\n\u0001\r\n--x y\r\nContent-Type: application/sdp\r\n\r\n${sdp}--x y--\r\n`;
const multipart = 'multipart/mixed;boundary="x y"';
const withProfile =
  (profile: string): Change =>
  (sdp) =>
    sdp.replace("RTP/AVP", profile);

describe("an inbound call", () => {
  it.each<[string, Change, { contentType?: string; profile?: string }]>([
    ["in one part of several", parts, { contentType: multipart }],
    ["with feedback (RTP/AVPF)", withProfile("RTP/AVPF"), { profile: "RTP/AVPF" }],
    ["in lower case", (sdp) => sdp.replace("RTP/AVP", "rtp/avp").replace("PCMU", "pcmu"), {}],
    ["of a charset", (sdp) => sdp, { contentType: "Application/SDP; charset=utf-8" }],
    [
      "with a bandwidth, an e-mail address and a count of ports",
      (sdp) =>
        sdp
          .replace("s=-\r\n", "s= \r\ni=x\r\ne=a@b.example\r\n")
          .replace("t=0 0", "b=AS:84\r\nt=0 0")
          .replace(/(audio \d+)/, "$1/1"),
      {},
    ],
    ["with a video line behind it", (sdp) => `${sdp}m=video 4002 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n`, {}],
    ["with other codecs before ours", (sdp) => sdp.replace("AVP 0 101", "AVP 18 3 96 0 101"), {}],
    ["without a line for its origin or its name", (sdp) => sdp.replace(/^[os]=.*\r\n/gm, ""), {}],
  ])(
    "with its description %s is answered, and has audio both ways",
    async (_, write, { contentType, profile = "RTP/AVP" }) => {
      const body = write(raw.rtp.describe());
      const { endpoint, ok } = await answered(invite({ body, ...(contentType !== undefined && { contentType }) }));
      expect(ok.body.toUpperCase()).toMatch(new RegExp(`^M=AUDIO \\d+ ${profile} `, "m"));
      expect(await raw.talk(endpoint)).toBeGreaterThan(0.9);
    },
  );

  it.each<[string, Change]>([
    ["a change in one part of several", parts],
    ["a change with feedback (RTP/AVPF)", withProfile("RTP/AVPF")],
  ])("accepts %s", async (_, write) => {
    const { dialog, kinds } = await answered();
    const body = write(raw.rtp.describe(["a=sendonly"]));
    raw.peer.request(dialog, "INVITE", {
      cseq: 2,
      body,
      contentType: body.startsWith("--") ? multipart : "application/sdp",
    });
    expect((await answerTo("2 INVITE")).body).toContain("a=recvonly");
    raw.peer.request(dialog, "ACK", { cseq: 2 });
    expect(kinds).toContain("held");
  });

  it("is asked for a new offer, and accepts the answer in the ACK", async () => {
    const { dialog, kinds, described } = await answered();
    raw.peer.request(dialog, "INVITE", { cseq: 2 });
    expect((await answerTo("2 INVITE")).body).toMatch(/^m=audio [1-9].*[^]*a=sendrecv/m);
    raw.peer.request(dialog, "ACK", { cseq: 2, body: raw.rtp.describe(["a=sendonly"]) });
    await expect.poll(() => kinds).toEqual(["answered", "redescribed", "held"]);
    expect(described.map((sdp) => readRtpDescription(sdp)?.direction)).toEqual([undefined, "sendonly"]);
  });

  it.each<[string, Change]>([
    [
      "spaces and tabs wherever they may be",
      (text) =>
        text
          .replace("CSeq: 1 INVITE", "CSeq :\t 1 \t INVITE  ")
          .replace("From: <", "From:<")
          .replace(">;tag", "> ; tag")
          .replace("Call-ID: ", "Call-ID:\t"),
    ],
    ["its From and To without brackets", (text) => text.replace(/^(From|To): <([^>]*)>/gm, "$1: $2")],
    [
      "display names in UTF-8, with quotes and commas",
      (text) => text.replace("From: <", 'From: "Zoë \\"Z\\", Ltd." <').replace("To: <", "To: Leads & Söhne <"),
    ],
    [
      "parameters and a password in its URIs",
      (text) => text.replace(/^INVITE sip:([^@]+)@(\S+)/, "INVITE sip:$1:pw@$2;user=phone;x"),
    ],
    [
      "an IPv6 address in its Via",
      (text) => text.replace(/UDP [\d.:]+;/, "UDP [2001:db8::9]:5062;received=[2001:db8::7];"),
    ],
    [
      "Via, Via and more Via",
      (text) =>
        text.replace(
          "Via:",
          "v: SIP / 2.0 / UDP 127.0.0.1 ;branch=z9hG4bKp ;rport\r\nVia: SIP/2.0/TLS h.example;branch=z9hG4bKq;maddr=1.2.3.4;ttl=3,SIP/2.0/UDP i;branch=z9hG4bKr\r\nvIA:",
        ),
    ],
    ["8 kB of headers that nobody knows", (text) => text.replace("CSeq:", `X-Long: ${"x".repeat(8_000)}\r\nCSeq:`)],
    ["a Route to us", (text) => text.replace("CSeq:", `Route: <sip:127.0.0.1:${raw.place.port};lr>\r\nCSeq:`)],
    [
      "Supported, Allow and a session timer in compact form",
      (text) => text.replace("CSeq:", "k: timer,100rel , replaces\r\nx: 1800;refresher=uac\r\nAllow: INVITE\r\nCSeq:"),
    ],
  ])("with %s is answered and ends", async (_, write) => {
    const { leg, ok, dialog } = await answered(write(invite()));
    expect(ok.header("cseq")).toBe("1 INVITE");
    const leaving = leg.hangUp();
    const bye = await raw.peer.next("BYE");
    expect(bye.header("call-id")).toBe("in");
    raw.peer.reply(bye, "200 OK", { contact: null });
    await leaving;
    raw.peer.request(dialog, "BYE", { cseq: 9 });
    expect((await answerTo("9 BYE")).what).toBe("200");
  });
});

describe("the dialog of an inbound call", () => {
  it("routes requests along the Record-Routes in their order", async () => {
    const place = `127.0.0.1:${raw.peer.port}`;
    const headers = [
      `Record-Route: <sip:near@${place};lr>, <sip:mid@${place};lr>`,
      `Record-Route: <sip:far@${place};lr>`,
    ];
    const { leg, ok } = await answered(invite({ headers }));
    expect(ok.headers("record-route").join(", ")).toBe(headers.map((each) => each.slice(14)).join(", "));
    void leg.hangUp();
    const bye = await raw.peer.next("BYE");
    const routes = bye.headers("route").flatMap((route) => route.split(/,\s*/));
    expect(routes).toEqual(["near", "mid", "far"].map((name) => `<sip:${name}@${place};lr>`));
    raw.peer.reply(bye, "200 OK", { contact: null });
  });

  it("gets the same response when its INVITE is retransmitted, and rings once", async () => {
    const text = invite();
    const call = await raw.ring(text);
    call.ring();
    const first = await raw.peer.next("180");
    raw.peer.send(text, raw.place);
    expect((await raw.peer.next("180")).text).toBe(first.text);
    expect(raw.calls).toHaveLength(1);
  });

  it("continues although a CANCEL crosses the answer", async () => {
    const text = invite();
    const { endpoint, kinds } = await answered(text);
    const via = /^Via: .*$/m.exec(text)?.[0] ?? "";
    const cancel = raw.peer.write("CANCEL", raw.place, { callId: "in" }).replace(/^Via: .*$/m, via);
    raw.peer.send(cancel, raw.place);
    expect((await answerTo("1 CANCEL")).what).toBe("200");
    expect(await raw.talk(endpoint)).toBeGreaterThan(0.9);
    expect(kinds).toEqual(["answered"]);
  });

  it("when cancelled, answers the INVITE with 487 and the CANCEL with 200, however often it is sent", async () => {
    const text = invite();
    await raw.ring(text);
    const via = /^Via: .*$/m.exec(text)?.[0] ?? "";
    const cancel = raw.peer.write("CANCEL", raw.place, { callId: "in" }).replace(/^Via: .*$/m, via);
    raw.peer.send(cancel, raw.place);
    expect((await answerTo("1 CANCEL")).what).toBe("200");
    const refusal: Received = await raw.peer.next("487");
    raw.peer.send(cancel, raw.place);
    expect((await answerTo("1 CANCEL")).what).toBe("200");
    const ack = raw.peer.write("ACK", raw.place, { callId: "in" }).replace(/^Via: .*$/m, via);
    raw.peer.send(ack.replace(/^To: .*$/m, `To: ${refusal.header("to")}`), raw.place);
  });

  it("ends on both sides if two BYEs cross", async () => {
    const { leg, dialog } = await answered();
    const leaving = leg.hangUp();
    const bye = await raw.peer.next("BYE");
    raw.peer.request(dialog, "BYE", { cseq: 2 });
    expect((await answerTo("2 BYE")).what).toBe("200");
    raw.peer.reply(bye, "200 OK", { contact: null });
    await leaving;
  });

  it.each<[string, Change]>([
    ["an extra empty line", (text) => `${text.replace(/Content-Length: .*\r\n/, "")}\r\n`],
    ["a body of no type", (text) => text.replace("Content-Length: 0\r\n\r\n", "Content-Length: 5\r\n\r\nhello")],
  ])("leaves the offer to us if its INVITE has only %s, and acknowledges like that", async (_, write) => {
    const call = await raw.take(await raw.ring(write(invite({ body: "" }))));
    const ok = await raw.peer.next("200");
    expect(ok.body).toContain("m=audio ");
    const dialog = { ...raw.peer.asCaller(ok), place: raw.place };
    raw.peer.request(dialog, "ACK", { cseq: 1, body: raw.rtp.describe() });
    await expect.poll(() => call.kinds).toEqual(["answered"]);
    raw.peer.request(dialog, "INVITE", { cseq: 2, body: raw.rtp.describe(["a=sendonly"]) });
    await answerTo("2 INVITE");
    const ack = writeInDialog({ ...dialog, sentBy: `127.0.0.1:${raw.peer.port}` }, "ACK", { cseq: 2 });
    raw.peer.send(write(ack), raw.place);
    // An unacknowledged answer is repeated after 0.5 s.
    await sleep(1_200);
    expect(raw.peer.all("200").filter((each) => each.header("cseq") === "2 INVITE")).toHaveLength(1);
    expect(raw.dropped).toEqual([]);
  });

  it("answers a retransmitted BYE as it did the first time", async () => {
    const { dialog, kinds } = await answered();
    const bye = raw.peer.request(dialog, "BYE", { cseq: 2 });
    const first = await answerTo("2 BYE");
    raw.peer.send(bye, raw.place);
    expect((await answerTo("2 BYE")).text).toBe(first.text);
    expect(first.what).toBe("200");
    expect(kinds).toEqual(["answered", "ended"]);
  });

  it("refuses a request whose CSeq is lower than its dialog's", async () => {
    const { dialog } = await answered();
    raw.peer.request(dialog, "INFO", { cseq: 5 });
    expect((await answerTo("5 INFO")).what).toBe("200");
    raw.peer.request(dialog, "INFO", { cseq: 4 });
    expect((await answerTo("4 INFO")).what).toBe("500");
  });
});

describe("an inbound call with unusual headers", () => {
  it.each(["gzip", "identity, deflate"])("is refused if its description is encoded with %s", async (coding) => {
    raw.peer.send(invite({ headers: [`Content-Encoding: ${coding}`] }), raw.place);
    const answer = await answerTo("1 INVITE");
    expect([answer.what, answer.header("accept-encoding")]).toEqual(["415", "identity"]);
    expect(raw.calls).toEqual([]);
  });

  it.each(["INVITE", "UPDATE"])("refuses an encoded change by %s, and continues", async (method) => {
    const { dialog, endpoint } = await answered();
    raw.peer.request(dialog, method, { cseq: 2, headers: ["e: gzip"], body: raw.rtp.describe(["a=inactive"]) });
    const answer = await answerTo(`2 ${method}`);
    expect([answer.what, answer.header("accept-encoding")]).toEqual(["415", "identity"]);
    expect(await raw.talk(endpoint)).toBeGreaterThan(0.9);
  });

  it("rings if its description's encoding is identity", async () => {
    expect(await raw.ring(invite({ headers: ["Content-Encoding: Identity"] }))).toMatchObject({
      from: "+442071838750",
    });
  });

  it.each([
    ["P-Asserted-Identity: <sip:+1-202-555-0111@h>", "+12025550111"],
    ["P-Asserted-Identity: <sip:desk@h>, <sip:(202)555.0111@h>", "2025550111"],
    ["Remote-Party-ID: <sip:1.202.555.0111@h>", "12025550111"],
    ["P-Asserted-Identity: <sip:front-desk@h>", "front-desk"],
    ["P-Asserted-Identity: <sip:10-a.b@h>", "10-a.b"],
  ])("names the caller of %s as %s", async (header, from) => {
    expect((await raw.ring(invite({ headers: [header] }))).from).toBe(from);
  });

  it("names the forwarder without visual separators", async () => {
    const call = await raw.ring(invite({ headers: ["Diversion: <sip:+1-202-555-0177@h>;reason=no-answer"] }));
    expect(call.forwardedBy).toBe("+12025550177");
  });
});

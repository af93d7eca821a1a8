import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";
import { createSipTrace } from "./sip-trace.ts";
import { freePort, until } from "./testing/start-program.ts";
import { startRawPeer } from "./testing/start-raw-peer.ts";
import { withoutSecrets } from "./without-secrets.ts";

const sdp = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });
const source = { protocol: "UDP", address: "192.0.2.9", port: 5060, connectionId: null } as const;

describe("the trace of a trunk", () => {
  it("shows calls and registrations as sent and received, without the credentials", async () => {
    const peer = await startRawPeer({ answersKeepAlive: false });
    const account = { authentication: "register", user: "agent", password: "correct horse" } as const;
    const trunk = await openSipTrunk(settings.parse({ host: `127.0.0.1:${peer.port}`, transport: "udp", ...account }));
    const challenge = 'WWW-Authenticate: Digest realm="pbx", nonce="abc", qop="auth"';
    peer.reply(await peer.next("REGISTER"), "401 Unauthorized", { headers: [challenge] });
    const signed = await peer.next("REGISTER");
    peer.reply(signed, "200 OK", { headers: ["Expires: 300"] });
    await until("registered", () => trunk.state?.().level === "working");
    const dialling = placeCall(trunk, "+12025550101");
    peer.reply(await peer.next("INVITE"), "486 Busy Here");
    const call = await dialling;
    await call.ended();
    const { messages } = trunk.trace?.() ?? { messages: [] };
    const lines = messages.toReversed().map(({ direction, summary }) => `${direction} ${summary.split(" ")[0]}`);
    expect(lines.filter((line) => line.endsWith("REGISTER"))).toHaveLength(2);
    const responses = messages.filter(({ direction }) => direction === "received").map(({ summary }) => summary);
    expect(responses).toEqual(["SIP/2.0 486 Busy Here", "SIP/2.0 200 OK", "SIP/2.0 401 Unauthorized"]);
    const all = messages.map(({ text }) => text).join("\n");
    expect(all).toMatch(/^Authorization: Digest \[hidden\]$/im);
    const digest = /response="([0-9a-f]+)"/.exec(signed.header("authorization") ?? "")?.[1];
    expect(digest).toBeDefined();
    expect(all).not.toContain(digest);
    expect(all).toContain("m=audio ");
    expect(messages.every(({ port, protocol }) => port === peer.port && protocol === "UDP")).toBe(true);
    call.endpoint.close();
    await trunk.close();
    await peer.close();
  });

  it("says why a message can't be parsed, and who sent one without permission", async () => {
    const localPort = await freePort();
    const [peer, stranger] = await Promise.all([startRawPeer(), startRawPeer({ host: "127.0.0.2" })]);
    const given = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip", localPort };
    const trunk = await openSipTrunk(settings.parse(given));
    peer.send("INVITE sip:+442079460123@127.0.0.1 SIP/2.0\r\nSubject: nonsense\r\n\r\n", {
      address: "127.0.0.1",
      port: localPort,
    });
    stranger.send(stranger.write("INVITE", { address: "127.0.0.1", port: localPort }, { callId: "x", body: sdp }), {
      address: "127.0.0.1",
      port: localPort,
    });
    await until("both arrived", () => {
      const { messages, strangers } = trunk.trace?.() ?? { messages: [], strangers: [] };
      return strangers.length === 1 && messages.some(({ ignored }) => ignored !== null);
    });
    const trace = trunk.trace?.();
    expect(trace?.strangers).toMatchObject([{ address: "127.0.0.2", packets: 1 }]);
    const broken = trace?.messages.find(({ text }) => text.includes("Subject: nonsense"));
    expect(broken).toMatchObject({ direction: "received", ignored: expect.stringMatching(/header|read/) });
    await trunk.close();
    await Promise.all([peer.close(), stranger.close()]);
  });

  it("keeps the last messages of each kind, so that keep-alives don't displace calls", () => {
    const trace = createSipTrace();
    const write = (method: string, callId: string) =>
      `${method} sip:a SIP/2.0\r\nCall-ID: ${callId}\r\nCSeq: 1 ${method}\r\n\r\n`;
    trace.sent(write("INVITE", "the call"), source);
    for (let i = 0; i < 500; i++) trace.received(write("OPTIONS", `${i}`), source);
    for (let i = 0; i < 50; i++) trace.strangerIgnored(`192.0.2.${i}`);
    const { messages, strangers } = trace.read();
    expect(messages.map(({ callId }) => callId)).toContain("the call");
    expect(messages.length).toBe(21);
    expect(messages[0]?.callId).toBe("499");
    expect(strangers.length).toBe(20);
    expect(strangers[0]?.address).toBe("192.0.2.49");
  });

  it.each([
    [
      "folded credentials",
      'authorization : Digest username="a",\r\n response="0123456789abcdef0123"\r\nTo: <sip:b@c>',
      "0123456789abcdef",
    ],
    [
      "a password on the line after its scheme",
      "Authorization: Basic\r\n\tYWdlbnQ6aHVudGVyMg==\r\nTo: <sip:b@c>",
      "YWdl",
    ],
    ["a password in a URI", "To: <sip:agent:hunter2@pbx.test>", "hunter2"],
    [
      "keys for SRTP",
      "Content-Type: application/sdp\r\n\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:c2VjcmV0|2^20",
      "c2VjcmV0",
    ],
    ["a key for the media", "Content-Type: application/sdp\r\n\r\nk=clear:c2VjcmV0", "c2VjcmV0"],
    ["the keys a person presses", "Content-Type: application/dtmf-relay\r\n\r\nSignal=7\r\nDuration=160", "Signal=7"],
  ])("hides %s", (_, lines, secret) => {
    const hidden = withoutSecrets(`INVITE sip:a SIP/2.0\r\n${lines}\r\n`);
    expect(lines).toContain(secret);
    expect(hidden).not.toContain(secret);
    expect(hidden).toMatch(/^INVITE sip:a SIP\/2\.0/);
  });
});

import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { drawSdesKeys, readSdesKeys, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import { describe, expect, it } from "vitest";

import { createLocalDescription, isOnHold } from "./session-description.ts";

const ours = writeRtpDescription({
  host: "127.0.0.1",
  port: 4_000,
  codecs: ["PCMU", "PCMA"],
  telephoneEventType: 101,
});
const theirs = (...lines: string[]): string =>
  ["v=0", "o=- 7 7 IN IP4 10.0.0.1", "s=-", "c=IN IP4 10.0.0.1", "t=0 0", ...lines, ""].join("\r\n");
const inline = `inline:${"A".repeat(40)}`;
const key = `a=crypto:7 AES_CM_128_HMAC_SHA1_32 ${inline}`;
const line = (sdp: string | null, start: string): string | undefined =>
  sdp?.split("\r\n").find((each) => each.startsWith(start));
const versionOf = (sdp: string | null): number => Number(line(sdp, "o=")?.split(" ")[2]);

describe("our description of a trunk call", () => {
  it("offers the trunk's codecs in its order, and telephone events", () => {
    const offer = createLocalDescription(ours, ["PCMA"]).offer();
    expect(readRtpDescription(offer)).toEqual({
      host: "127.0.0.1",
      port: 4_000,
      codecs: ["PCMA"],
      telephoneEventType: 101,
    });
    expect(line(offer, "m=")).toBe("m=audio 4000 RTP/AVP 8 101");
  });

  it("keeps its session id and increments its version, wherever it is sent", () => {
    const local = createLocalDescription(ours, ["PCMU", "PCMA"]);
    const told = [local.offer(), local.answer(theirs("m=audio 9 RTP/AVP 0")), local.offer()];
    expect(new Set(told.map((sdp) => line(sdp, "o=")?.split(" ")[1])).size).toBe(1);
    expect(told.map(versionOf)).toEqual([0, 1, 2].map((i) => versionOf(told[0] ?? null) + i));
  });

  it.each([
    ["sendrecv", "sendrecv", "sendonly"],
    ["sendonly", "recvonly", "inactive"],
    ["recvonly", "sendonly", "sendonly"],
    ["inactive", "inactive", "inactive"],
  ])("answers %s with %s, and with %s while we hold", (offered, answered, held) => {
    const local = createLocalDescription(ours, ["PCMU"]);
    const offer = theirs("m=audio 9 RTP/AVP 0", `a=${offered}`);
    expect(line(local.answer(offer), "a=")).toBeDefined();
    expect(local.answer(offer)).toContain(`a=${answered}\r\n`);
    local.setHeld(true);
    expect(local.answer(offer)).toContain(`a=${held}\r\n`);
    expect(local.offer()).toContain("a=sendonly\r\n");
  });

  it("accepts the address 0.0.0.0 as a hold, as before RFC 3264", () => {
    const zeros = theirs("m=audio 9 RTP/AVP 0").replaceAll("10.0.0.1", "0.0.0.0");
    expect(createLocalDescription(ours, ["PCMU"]).answer(zeros)).toContain("a=recvonly\r\n");
    expect(isOnHold(zeros)).toBe(true);
    expect(isOnHold(theirs("m=audio 9 RTP/AVP 0"))).toBe(false);
  });

  it("accepts the audio and declines the other lines, in their order", () => {
    const answer = createLocalDescription(ours, ["PCMU"]).answer(
      theirs("m=video 8 RTP/AVP 31", "m=audio 9 RTP/AVP 0 96", "a=rtpmap:96 telephone-event/8000"),
    );
    const lines = answer?.split("\r\n").filter((each) => each.startsWith("m="));
    expect(lines).toEqual(["m=video 0 RTP/AVP 31", "m=audio 4000 RTP/AVP 0 96"]);
  });

  it("accepts an answer in a codec that was not offered, as long as we support it", () => {
    const local = createLocalDescription(ours, ["PCMA"]);
    expect(readRtpDescription(local.heard(theirs("m=audio 9 RTP/AVP 0 8")) ?? "")?.codecs).toEqual(["PCMA"]);
    expect(readRtpDescription(local.heard(theirs("m=audio 9 RTP/AVP 0")) ?? "")?.codecs).toEqual(["PCMU"]);
    expect(local.heard(theirs("m=audio 9 RTP/AVP 18"))).toBeNull();
  });

  it("has no answer to unknown codecs, or to encryption if no keys are exchanged", () => {
    const local = createLocalDescription(ours, ["PCMA"]);
    expect(local.answer(theirs("m=audio 9 RTP/AVP 18"))).toBeNull();
    expect(local.answer(theirs("m=audio 9 RTP/AVP 0"))).toBeNull();
    expect(local.answer(theirs("m=audio 9 RTP/SAVP 8", key))).toBeNull();
  });
});

describe("our description of a call that may use Opus", () => {
  const wide = writeRtpDescription({
    host: "127.0.0.1",
    port: 4_000,
    codecs: ["PCMU", "PCMA", "opus"],
    telephoneEventType: 101,
    opus: { payloadType: 111, telephoneEventType: 110 },
  });
  const offered = theirs(
    "m=audio 9 RTP/AVP 0 96 97 98",
    "a=rtpmap:96 opus/48000/2",
    "a=fmtp:96 stereo=1;sprop-stereo=1",
    "a=rtpmap:97 telephone-event/48000",
    "a=rtpmap:98 telephone-event/8000",
  );
  const lines = (sdp: string | null): string[] => sdp?.match(/^(m=|a=rtpmap|a=fmtp).*$/gm) ?? [];

  it("offers it if the trunk's settings include it, in their order, and never otherwise", () => {
    expect(lines(createLocalDescription(wide, ["opus", "PCMU"]).offer())).toEqual([
      "m=audio 4000 RTP/AVP 111 0 110 101",
      "a=rtpmap:111 opus/48000/2",
      "a=rtpmap:0 PCMU/8000",
      "a=rtpmap:110 telephone-event/48000",
      "a=rtpmap:101 telephone-event/8000",
      "a=fmtp:111 maxplaybackrate=16000;useinbandfec=1",
      "a=fmtp:110 0-15",
      "a=fmtp:101 0-15",
    ]);
    expect(line(createLocalDescription(wide, ["PCMU", "PCMA"]).offer(), "m=")).toBe("m=audio 4000 RTP/AVP 0 8 101");
    expect(createLocalDescription(wide, ["PCMU"]).offer()).not.toMatch(/opus|48000|fmtp:11/);
  });

  it("neither offers nor accepts it if the media plane doesn't support it", () => {
    const local = createLocalDescription(ours, ["opus", "PCMU"]);
    expect(line(local.offer(), "m=")).toBe("m=audio 4000 RTP/AVP 0 101");
    expect(line(local.answer(offered), "m=")).toBe("m=audio 4000 RTP/AVP 0 98");
  });

  it("takes it from anywhere in an offer if it comes first here, with its payload types and in mono", () => {
    const local = createLocalDescription(wide, ["opus", "PCMU"]);
    expect(lines(local.answer(offered))).toEqual([
      "m=audio 4000 RTP/AVP 96 97 98",
      "a=rtpmap:96 opus/48000/2",
      "a=rtpmap:97 telephone-event/48000",
      "a=rtpmap:98 telephone-event/8000",
      "a=fmtp:96 maxplaybackrate=16000;useinbandfec=1",
      "a=fmtp:97 0-15",
      "a=fmtp:98 0-15",
    ]);
    expect(readRtpDescription(local.heard(offered) ?? "")?.codecs).toEqual(["opus"]);
    expect(line(createLocalDescription(wide, ["PCMU", "opus"]).answer(offered), "m=")).toBe(
      "m=audio 4000 RTP/AVP 0 98",
    );
    expect(line(createLocalDescription(wide, ["PCMU"]).answer(offered), "m=")).toBe("m=audio 4000 RTP/AVP 0 98");
  });

  it("leaves the choice of codec to the answerer", () => {
    const local = createLocalDescription(wide, ["opus", "PCMU"]);
    expect(readRtpDescription(local.heard(offered) ?? "")?.codecs).toEqual(["PCMU", "opus"]);
    expect(readRtpDescription(createLocalDescription(wide, ["PCMU"]).heard(offered) ?? "")?.codecs).toEqual(["PCMU"]);
    expect(createLocalDescription(wide, ["PCMU"]).heard(offered.replace("AVP 0 ", "AVP "))).toBeNull();
  });

  it("prefers an encrypted line in G.711 to an unencrypted one in Opus", () => {
    const local = createLocalDescription(withSdesKeys(wide, drawSdesKeys()), ["opus", "PCMU"]);
    local.setEncryption("possibly", "RTP/SAVP");
    const both = `${offered}m=audio 11 RTP/SAVP 0\r\n${key}\r\n`;
    expect(local.answer(both)?.match(/^m=.*$/gm)?.[1]).toBe("m=audio 4000 RTP/SAVP 0");
  });
});

describe("our description of a call over TLS", () => {
  const ourKeys = drawSdesKeys();
  const withEncryption = (as: "possibly" | "always" | "never", firstOffer: "RTP/AVP" | "RTP/SAVP" = "RTP/SAVP") => {
    const local = createLocalDescription(withSdesKeys(ours, ourKeys), ["PCMU", "PCMA"]);
    local.setEncryption(as, firstOffer);
    return local;
  };
  const clear = theirs("m=audio 9 RTP/AVP 0");
  const savp = theirs("m=audio 9 RTP/SAVP 0", key);

  it("offers keys with an encrypted line, and none if encryption is off", () => {
    expect(line(withEncryption("possibly").offer(), "m=")).toBe("m=audio 4000 RTP/SAVP 0 8 101");
    expect(readSdesKeys(withEncryption("possibly").offer())).toEqual(ourKeys);
    expect(line(withEncryption("never").offer(), "m=")).toBe("m=audio 4000 RTP/AVP 0 8 101");
    expect(withEncryption("never").offer()).not.toContain("crypto");
    expect(createLocalDescription(withSdesKeys(ours, ourKeys), ["PCMU"]).offer()).not.toContain("crypto");
  });

  it("answers with one key of its own, under the line's tag and suite, and keeps it through hold", () => {
    const local = withEncryption("possibly", "RTP/AVP");
    const answer = local.answer(savp);
    expect(line(answer, "m=")).toBe("m=audio 4000 RTP/SAVP 0");
    expect(readSdesKeys(answer ?? "")).toEqual([{ ...ourKeys[1], tag: 7 }]);
    local.setHeld(true);
    expect(line(local.offer(), "m=")).toContain("RTP/SAVP");
    expect(readSdesKeys(local.offer())).toEqual(ourKeys);
    expect(readSdesKeys(local.answer(savp) ?? "")).toEqual([{ ...ourKeys[1], tag: 7 }]);
  });

  it("answers an encrypted line with feedback in kind, and gives the media plane an encrypted line", () => {
    const savpf = theirs("m=audio 9 RTP/SAVPF 0", key, "a=rtcp-fb:* nack");
    const answer = withEncryption("possibly").answer(savpf);
    expect(line(answer, "m=")).toBe("m=audio 4000 RTP/SAVPF 0");
    expect(readSdesKeys(answer ?? "")).toHaveLength(1);
    expect(line(withEncryption("possibly").heard(savpf), "m=")).toBe("m=audio 9 RTP/SAVP 0");
    expect(withEncryption("never").answer(savpf)).toBeNull();
  });

  it("accepts keys on an RTP/AVP line, and omits them if not allowed", () => {
    const beside = theirs("m=audio 9 RTP/AVP 0", key);
    expect(readSdesKeys(withEncryption("possibly").answer(beside) ?? "")).toHaveLength(1);
    expect(line(withEncryption("always").answer(beside), "m=")).toBe("m=audio 4000 RTP/AVP 0");
    expect(withEncryption("never").answer(beside)).not.toContain("crypto");
    expect(withEncryption("never").heard(beside)).not.toContain("crypto");
  });

  it("takes the encrypted one of two lines, wherever it is, and gives the media plane only that one", () => {
    const both = theirs("m=audio 9 RTP/AVP 0", "m=audio 11 RTP/SAVP 0", key);
    const lines = withEncryption("possibly")
      .answer(both)
      ?.match(/^m=.*$/gm);
    expect(lines).toEqual(["m=audio 0 RTP/AVP 0", "m=audio 4000 RTP/SAVP 0"]);
    expect(
      withEncryption("possibly")
        .heard(both)
        ?.match(/^m=.*$/gm),
    ).toEqual(["m=audio 11 RTP/SAVP 0"]);
    expect(
      withEncryption("never")
        .heard(both)
        ?.match(/^m=.*$/gm),
    ).toEqual(["m=audio 9 RTP/AVP 0"]);
  });

  it("falls back to unencrypted audio only if allowed, and offers that from then on", () => {
    const local = withEncryption("possibly");
    expect(local.answer(clear)).toContain("RTP/AVP");
    expect(local.offer()).not.toContain("crypto");
    expect(withEncryption("always").answer(clear)).toBeNull();
    expect(withEncryption("always").heard(clear)).toBeNull();
    expect(withEncryption("possibly").heard(theirs("m=audio 9 RTP/SAVP 0"))).toBeNull();
  });
});

import { expect, it } from "vitest";

import { readRtpDescription, writeRtpDescription } from "./rtp-description.ts";

const description = { host: "127.0.0.1", port: 4_000, codecs: ["PCMA", "PCMU"], telephoneEventType: 97 } as const;

it("reads what it writes, in the order of preference", () => {
  const written = { ...description, codecs: [...description.codecs] };
  expect(readRtpDescription(writeRtpDescription(written))).toEqual(written);
});

it("reads Opus and its telephone events as it writes them, and omits an unlisted Opus", () => {
  const opus = { payloadType: 111, telephoneEventType: 110 };
  const written = { ...description, codecs: ["opus" as const, "PCMA" as const], opus };
  expect(readRtpDescription(writeRtpDescription(written))).toEqual(written);
  const without = { ...written, codecs: ["PCMA" as const] };
  expect(writeRtpDescription(without)).not.toMatch(/opus|48000/);
  const unlisted = writeRtpDescription(written).replace("AVP 111 8 110", "AVP 8 110");
  expect(readRtpDescription(unlisted)?.opus).toBeUndefined();
});

it("reads and writes the RTCP port, if there is one and a port", () => {
  const written = { ...description, codecs: [...description.codecs], rtcpPort: 4_007, rtcpMux: true };
  const sdp = writeRtpDescription(written);
  expect(readRtpDescription(sdp)).toEqual(written);
  for (const bad of ["0", "70000", "x"])
    expect(readRtpDescription(sdp.replace("a=rtcp:4007", `a=rtcp:${bad}`))?.rtcpPort).toBeUndefined();
});

it("reads an answer with one static payload type and no rtpmap", () => {
  const sdp = "v=0\r\no=- 1 1 IN IP4 10.0.0.1\r\ns=-\r\nc=IN IP4 10.0.0.1\r\nt=0 0\r\nm=audio 9000 RTP/AVP 8\r\n";
  expect(readRtpDescription(sdp)).toEqual({
    host: "10.0.0.1",
    port: 9_000,
    codecs: ["PCMA"],
    telephoneEventType: null,
  });
});

it("finds nothing usable in a closed line, in unknown codecs, or in nonsense", () => {
  const head = "v=0\r\no=- 1 1 IN IP4 10.0.0.1\r\ns=-\r\nc=IN IP4 10.0.0.1\r\nt=0 0\r\n";
  expect(readRtpDescription(`${head}m=audio 0 RTP/AVP 0\r\n`)).toBeNull();
  expect(readRtpDescription(`${head}m=audio 9000 RTP/AVP 18\r\n`)).toBeNull();
  expect(readRtpDescription("nonsense")).toBeNull();
});

it("reads no payload type that doesn't fit into a packet", () => {
  const sdp =
    "v=0\r\no=- 1 1 IN IP4 10.0.0.1\r\ns=-\r\nc=IN IP4 10.0.0.1\r\nt=0 0\r\nm=audio 9000 RTP/AVP 128 x 0 -1 999\r\n";
  const mapped = `${sdp}a=rtpmap:128 PCMA/8000\r\na=rtpmap:999 telephone-event/8000\r\na=rtpmap:-1 G722/8000\r\n`;
  expect(readRtpDescription(mapped)).toEqual({
    host: "10.0.0.1",
    port: 9_000,
    codecs: ["PCMU"],
    telephoneEventType: null,
  });
});

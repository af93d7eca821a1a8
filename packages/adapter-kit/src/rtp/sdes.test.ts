import { describe, expect, it } from "vitest";

import { readRtpDescription, writeRtpDescription } from "./rtp-description.ts";
import { drawSdesKeys, readSdesKeys, withSdesKeys } from "./sdes.ts";

const inline = "PS1uQCVeeCFCanVmcjkpPywjNWhcYD0mXXtxaVBR";
const line = (rest: string): string => `m=audio 9 RTP/SAVP 0\r\na=crypto:${rest}\r\n`;

describe("SDES keys in a description", () => {
  it("are read as written, and leave the rest unchanged", () => {
    const description = { host: "127.0.0.1", port: 9, codecs: ["PCMU" as const], telephoneEventType: null };
    const keys = drawSdesKeys();
    const written = withSdesKeys(writeRtpDescription(description), keys);
    expect(readSdesKeys(written)).toEqual(keys);
    expect(readRtpDescription(written)).toEqual(description);
  });

  it("are generated for each description", () => {
    const drawn = [drawSdesKeys(), drawSdesKeys()].flat().map(({ key }) => key.toString("hex"));
    expect(new Set(drawn).size).toBe(4);
  });

  it.each([
    `1 AES_CM_128_HMAC_SHA1_80 inline:${inline}`,
    `1 AES_CM_128_HMAC_SHA1_80 inline:${inline}|2^20`,
    `1 AES_CM_128_HMAC_SHA1_80 inline:${inline}|1048576 WSH=64`,
    `1 AES_CM_128_HMAC_SHA1_80 inline:${inline} -FEC_ORDER=FEC_SRTP`,
  ])("are read from %s", (rest) => {
    expect(readSdesKeys(line(rest))).toEqual([
      { tag: 1, suite: "AES_CM_128_HMAC_SHA1_80", key: Buffer.from(inline, "base64") },
    ]);
  });

  it.each([
    ["of another suite", `1 F8_128_HMAC_SHA1_80 inline:${inline}`],
    ["with an identifier in each packet", `1 AES_CM_128_HMAC_SHA1_80 inline:${inline}|2^20|1:4`],
    ["that change on their way", `1 AES_CM_128_HMAC_SHA1_80 inline:${inline}|2^20|1:4;inline:${inline}|2^20|2:4`],
    ["too short", "1 AES_CM_128_HMAC_SHA1_80 inline:c2hvcnQ="],
    ["for packets in the clear", `1 AES_CM_128_HMAC_SHA1_80 inline:${inline} WSH=64 UNENCRYPTED_SRTP`],
  ])("%s are ignored", (_, rest) => {
    expect(readSdesKeys(line(rest))).toEqual([]);
  });
});

import { randomBytes } from "node:crypto";

import { parseRtpPacket, writeRtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { writeReport } from "@leadline/adapter-kit/rtp/rtcp";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { cryptoSuites, drawSdesKeys, type SdesKey, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import { describe, expect, it } from "vitest";

import { createSdesPath } from "./sdes-path.ts";
import { createSealing } from "./srtp-encryption.ts";

const description = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });
const numbered = (sequenceNumber: number, payloadBytes = 160) => ({
  payloadType: 0,
  marker: false,
  sequenceNumber,
  timestamp: 7,
  ssrc: 9,
  payload: randomBytes(payloadBytes),
});

/** Two ends that have exchanged one key each, of that suite. */
function connect(suite: SdesKey["suite"]) {
  const [ours, theirs] = [drawSdesKeys(), drawSdesKeys()];
  const ofSuite = (keys: SdesKey[]): string =>
    withSdesKeys(
      description,
      keys.filter((key) => key.suite === suite),
    );
  const [here, there] = [createSealing(ours), createSealing(theirs)];
  here.agree(ofSuite(theirs));
  there.agree(ofSuite(ours));
  return { here, there, ours, theirs, ofSuite };
}

/** A packet with this index, as a far end with arbitrary counters encrypts it. */
function sealAt({ index, key }: { index: number; key: SdesKey }): Buffer {
  const counts = new Map([[9, index - 1]]);
  return createSdesPath(key, { sealed: counts }).encrypt(numbered(index % 65_536));
}

function keyOf(keys: readonly SdesKey[], suite: SdesKey["suite"]): SdesKey {
  const found = keys.find((key) => key.suite === suite);
  if (!found) throw new Error("no key of that suite");
  return found;
}

describe.each(cryptoSuites)("audio encrypted with %s", (suite) => {
  it("is decrypted at the far end, including a telephone event's four bytes, and is unreadable in transit", () => {
    const { here, there } = connect(suite);
    for (const packet of [numbered(5), numbered(6, 4)]) {
      const sealed = here.encrypt(packet);
      expect(sealed.includes(packet.payload)).toBe(false);
      expect(sealed.length).toBe(12 + packet.payload.length + (suite.endsWith("80") ? 10 : 4));
      expect(there.open(sealed)).toEqual(packet);
    }
  });

  it("has RTCP that is encrypted too, and only decrypted by the same key", () => {
    const { here, there } = connect(suite);
    const report = writeReport({ ssrc: 9, sender: null, blocks: [] }, { cname: "a name" });
    const [first, second] = [here.encryptReport(report), here.encryptReport(report)];
    expect(first.includes("a name")).toBe(false);
    // The SRTCP index and the long tag.
    expect(first.length).toBe(report.length + 4 + 10);
    expect(second.equals(first)).toBe(false);
    for (const sealed of [first, second]) expect(there.openReport(sealed)).toEqual(report);
    const changed = Buffer.from(first);
    changed.writeUInt8(changed.readUInt8(12) ^ 1, 12);
    for (const bad of [report, changed, first.subarray(0, 20), connect(suite).here.encryptReport(report)])
      expect(there.openReport(bad)).toBeNull();
  });

  it("is dropped if a bit was changed, if it is under another key, replayed, or unencrypted", () => {
    const { here, there } = connect(suite);
    const stranger = connect(suite).here;
    for (const at of [1, 3, 8, 40, 170]) {
      const sealed = here.encrypt(numbered(5));
      sealed.writeUInt8(sealed.readUInt8(at) ^ 1, at);
      expect(there.open(sealed)).toBeNull();
    }
    expect(there.open(stranger.encrypt(numbered(5)))).toBeNull();
    expect(there.open(writeRtpPacket(numbered(5)))).toBeNull();
    expect(there.open(Buffer.from([0x80, 0, 1]))).toBeNull();
    const genuine = here.encrypt(numbered(5));
    expect(there.open(Buffer.from(genuine))).not.toBeNull();
    expect(there.open(genuine)).toBeNull();
    expect(there.open(here.encrypt(numbered(6)))).not.toBeNull();
  });

  it("continues when sequence numbers restart after heavy loss, and when the same keys are sent again", () => {
    const { here, there, ours, theirs, ofSuite } = connect(suite);
    expect(there.open(here.encrypt(numbered(65_000)))).not.toBeNull();
    for (let lost = 65_001; lost < 65_536; lost++) here.encrypt(numbered(lost));
    for (let lost = 0; lost < 300; lost++) here.encrypt(numbered(lost));
    here.agree(ofSuite(theirs));
    there.agree(ofSuite(ours));
    expect(there.open(here.encrypt(numbered(300)))).not.toBeNull();
  });

  it("is decrypted with a new key whose sender continues its count, as it should, or restarts it", () => {
    const { here, there, ours, theirs, ofSuite } = connect(suite);
    for (const number of [65_535, 0, 1]) expect(there.open(here.encrypt(numbered(number)))).not.toBeNull();
    const [goingOn, anew] = [drawSdesKeys(), drawSdesKeys()];
    there.agree(ofSuite(goingOn));
    expect(there.open(sealAt({ index: 65_536 + 2, key: keyOf(goingOn, suite) }))).not.toBeNull();
    there.agree(ofSuite(anew));
    expect(there.open(sealAt({ index: 3, key: keyOf(anew, suite) }))).not.toBeNull();
    expect(there.open(sealAt({ index: 4, key: keyOf(anew, suite) }))).not.toBeNull();
    here.agree(ofSuite(theirs));
    there.agree(ofSuite(ours));
    expect(there.open(here.encrypt(numbered(2)))).not.toBeNull();
  });

  it("is not decrypted twice when the same key is sent again after another, or after none", () => {
    const { here, there, ours, ofSuite } = connect(suite);
    const sealed = here.encrypt(numbered(5));
    expect(there.open(Buffer.from(sealed))).not.toBeNull();
    for (const between of [ofSuite(drawSdesKeys()), description]) {
      there.agree(between);
      there.agree(ofSuite(ours));
      expect(there.open(Buffer.from(sealed))).toBeNull();
    }
    expect(there.open(here.encrypt(numbered(6)))).not.toBeNull();
  });

  it("is only decrypted with the new key once the far end has sent one", () => {
    const { here, there, ofSuite } = connect(suite);
    const renewed = drawSdesKeys();
    const after = createSealing(renewed);
    after.agree(ofSuite(drawSdesKeys()));
    there.agree(ofSuite(renewed));
    expect(there.open(here.encrypt(numbered(5)))).toBeNull();
    expect(there.open(after.encrypt(numbered(6)))).not.toBeNull();
  });
});

it("audio is plain if the far end sent no key, and an RTP/SAVP line without a key is rejected", () => {
  const leg = createSealing(drawSdesKeys());
  leg.agree(description);
  const packet = numbered(5);
  expect(parseRtpPacket(leg.encrypt(packet))).toEqual(packet);
  expect(leg.open(writeRtpPacket(packet))).toEqual(packet);
  expect(() => leg.agree(description.replace("RTP/AVP", "RTP/SAVP"))).toThrow("no key");
});

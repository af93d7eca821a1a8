import { randomBytes } from "node:crypto";

import { parseRtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import {
  ProtectionProfileAeadAes128Gcm,
  ProtectionProfileAes128CmHmacSha1_80,
  RtpHeader,
  type SrtpProfile,
  SrtpSession,
} from "werift";
import { describe, expect, it } from "vitest";

import { createSrtpPath } from "./srtp-path.ts";

const packet = {
  payloadType: 8,
  marker: true,
  sequenceNumber: 5,
  timestamp: 7,
  ssrc: 9,
  payload: randomBytes(160),
};

/** Our path, connected to werift's own session. */
function connect(profile: SrtpProfile, saltBytes: number) {
  const [ourKey, theirKey] = [randomBytes(16), randomBytes(16)];
  const [ourSalt, theirSalt] = [randomBytes(saltBytes), randomBytes(saltBytes)];
  const ours = {
    localMasterKey: ourKey,
    localMasterSalt: ourSalt,
    remoteMasterKey: theirKey,
    remoteMasterSalt: theirSalt,
  };
  const others = {
    localMasterKey: theirKey,
    localMasterSalt: theirSalt,
    remoteMasterKey: ourKey,
    remoteMasterSalt: ourSalt,
  };
  const path = createSrtpPath({ state: "connected", srtp: new SrtpSession({ keys: ours, profile }) });
  return { path, other: new SrtpSession({ keys: others, profile }) };
}

describe.each([
  ["AES-GCM", ProtectionProfileAeadAes128Gcm, 12],
  ["AES-CM with HMAC", ProtectionProfileAes128CmHmacSha1_80, 14],
] as const)("audio encrypted with %s", (_name, profile, saltBytes) => {
  it("is decrypted at the other end, in both directions", () => {
    const { path, other } = connect(profile, saltBytes);
    expect(parseRtpPacket(other.decrypt(path.encrypt(packet)))).toEqual(packet);
    const { payload, ...header } = packet;
    expect(path.open(other.encrypt(payload, new RtpHeader(header)))).toEqual(packet);
  });

  it("is rejected if a bit was changed, and the next packet is accepted", () => {
    const { path, other } = connect(profile, saltBytes);
    const { payload, ...header } = packet;
    const forged = other.encrypt(payload, new RtpHeader(header));
    forged.writeUInt8(forged.readUInt8(40) ^ 1, 40);
    expect(path.open(forged)).toBeNull();
    expect(path.open(Buffer.from([0x80, 0, 1]))).toBeNull();
    expect(path.open(other.encrypt(payload, new RtpHeader({ ...header, sequenceNumber: 6 })))).toMatchObject({
      sequenceNumber: 6,
    });
  });
});

it("ignores RTCP", () => {
  const { path } = connect(ProtectionProfileAeadAes128Gcm, 12);
  expect(path.open(Buffer.from([0x80, 200, ...randomBytes(60)]))).toBeNull();
});

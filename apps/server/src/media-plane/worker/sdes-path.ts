import type { CryptoSuite, SdesKey } from "@leadline/adapter-kit/rtp/sdes";
import { ProtectionProfileAes128CmHmacSha1_80, SrtcpSession, SrtpSession } from "werift";

import type { StreamCounts } from "./packet-indices.ts";
import { createSrtpPath } from "./srtp-path.ts";

const masterKeyBytes = 16;
const tagBytes: Record<CryptoSuite, number> = { AES_CM_128_HMAC_SHA1_80: 10, AES_CM_128_HMAC_SHA1_32: 4 };

/**
 * The SRTP path of one direction, keyed as its sender described (RFC 4568): encrypt with our key, decrypt with the
 * remote one.
 */
export function createSdesPath({ suite, key }: SdesKey, counts: { opened?: StreamCounts; sealed?: StreamCounts }) {
  const masterKey = key.subarray(0, masterKeyBytes);
  const masterSalt = key.subarray(masterKeyBytes);
  const config = {
    keys: {
      localMasterKey: masterKey,
      localMasterSalt: masterSalt,
      remoteMasterKey: masterKey,
      remoteMasterSalt: masterSalt,
    },
    profile: ProtectionProfileAes128CmHmacSha1_80,
  };
  const srtp = new SrtpSession(config);
  shortenTags(srtp, tagBytes[suite]);
  // RTCP has the long tag in either suite (RFC 4568, section 6.2.2).
  const srtcp = new SrtcpSession(config);
  return {
    ...createSrtpPath({ state: "connected", srtp }, counts),
    encryptReport: (report: Buffer): Buffer => srtcp.encrypt(report),
    /** Null if this key didn't encrypt it. */
    openReport(datagram: Buffer): Buffer | null {
      try {
        return srtcp.decrypt(datagram);
      } catch {
        return null;
      }
    },
  };
}

export type SdesPath = ReturnType<typeof createSdesPath>;

/** werift only knows the long tag; the short one is its beginning (RFC 3711, section 4.2.1). */
function shortenTags({ localContext, remoteContext }: SrtpSession, bytes: number): void {
  for (const context of [localContext, remoteContext]) {
    const { cipher } = context;
    const whole: unknown = Reflect.get(cipher, "generateSrtpAuthTag");
    if (typeof whole !== "function") throw new Error("werift seals in another way than it did.");
    const shortened = (...parts: unknown[]): Buffer => Reflect.apply(whole, cipher, parts).subarray(0, bytes);
    Object.assign(cipher, { authTagLength: bytes, generateSrtpAuthTag: shortened });
    Object.defineProperty(context, "rtpAuthTagLength", { value: bytes });
  }
}

import { randomBytes } from "node:crypto";

import * as sdpTransform from "sdp-transform";

/**
 * RFC 4568, section 6.2: AES in counter mode with a 128-bit key; they differ in the length of the authentication tags.
 */
export const cryptoSuites = ["AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"] as const;
export type CryptoSuite = (typeof cryptoSuites)[number];

/** The key with which one side encrypts its packets. It allows anyone to listen in, so it is never logged. */
export interface SdesKey {
  /** Identifies the line of an offer that an answer accepts (RFC 4568, section 4.1). */
  tag: number;
  suite: CryptoSuite;
  /** 16 bytes of master key, then 14 of master salt. */
  key: Buffer;
}

export const sdesKeyBytes = 30;

/** One per suite, the longer tag first. */
export const drawSdesKeys = (): SdesKey[] =>
  cryptoSuites.map((suite, i) => ({ tag: i + 1, suite, key: randomBytes(sdesKeyBytes) }));

/**
 * The keys in a media section, or in a description with one, in its order. Lines with unsupported parameters (another
 * suite, several keys, an MKI, unencrypted packets) are ignored (section 5.1.2).
 */
export function readSdesKeys(section: string): SdesKey[] {
  return [...section.matchAll(/^a=crypto:(\d{1,9}) (\S+) (\S+)(.*)$/gm)].flatMap(
    ([, tag, named, params = "", session = ""]) => {
      const suite = cryptoSuites.find((each) => each === named);
      const inline = /^inline:([A-Za-z0-9+/]{40})(?:\|(?:2\^)?\d+)?$/.exec(params)?.[1];
      if (suite === undefined || inline === undefined || !isIndifferent(session)) return [];
      return [{ tag: Number(tag), suite, key: Buffer.from(inline, "base64") }];
    },
  );
}

/** The key that a far end has chosen: the first in its description. Null if its audio is unencrypted. */
export function readTakenKey(sdp: string): SdesKey | null {
  const [key] = readSdesKeys(sdp);
  if (!key && /^m=audio \d+ RTP\/SAVP /m.test(sdp)) throw new Error("The far end’s encrypted audio line has no key.");
  return key ?? null;
}

/**
 * The receiver's own replay window (WSH) doesn't concern us; parameters that start with a hyphen may be ignored
 * (section 6.3).
 */
const isIndifferent = (session: string): boolean =>
  session.split(/\s+/).every((each) => each === "" || each.startsWith("-") || /^WSH=\d+$/.test(each));

export const cryptoLines = (
  keys: readonly SdesKey[],
): NonNullable<sdpTransform.SessionDescription["media"][number]["crypto"]> =>
  keys.map(({ tag, suite, key }) => ({ id: tag, suite, config: `inline:${key.toString("base64")}` }));

/** On an RTP/AVP line, keys mean that it may be encrypted as well (RFC 8643). */
export function withSdesKeys(sdp: string, keys: readonly SdesKey[]): string {
  const session = sdpTransform.parse(sdp);
  const media = session.media.map((line) => ({ ...line, crypto: cryptoLines(keys) }));
  return sdpTransform.write({ ...session, media });
}

/** The description without keys, safe to store. */
export const withoutSdesKeys = (sdp: string): string => sdp.replaceAll(/^a=crypto:.*\r?\n/gm, "");

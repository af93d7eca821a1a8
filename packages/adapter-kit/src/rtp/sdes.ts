import { randomBytes } from "node:crypto";

import * as sdpTransform from "sdp-transform";

/** RFC 4568, section 6.2: AES in counter mode with a key of 128 bits; they differ in the length of the packets' tags. */
export const cryptoSuites = ["AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"] as const;
export type CryptoSuite = (typeof cryptoSuites)[number];

/** With what one side seals the packets that it sends. Whoever reads it can listen in: it is written to no log. */
export interface SdesKey {
  /** Names the line of an offer that an answer takes up (RFC 4568, section 4.1). */
  tag: number;
  suite: CryptoSuite;
  /** 16 bytes of master key, then 14 of master salt. */
  key: Buffer;
}

export const sdesKeyBytes = 30;

/** One of each suite, the one with the longer tag first. */
export const drawSdesKeys = (): SdesKey[] =>
  cryptoSuites.map((suite, i) => ({ tag: i + 1, suite, key: randomBytes(sdesKeyBytes) }));

/**
 * The keys in a media section, or in a description with one, in its order. Lines that ask for what is not spoken here (another
 * suite, several keys, an MKI, packets in the clear) are none (section 5.1.2).
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

/** The key that a far end took up: the first of its description's. Null where its sound is in the clear. */
export function readTakenKey(sdp: string): SdesKey | null {
  const [key] = readSdesKeys(sdp);
  if (!key && /^m=audio \d+ RTP\/SAVP /m.test(sdp)) throw new Error("The far end’s sealed line has no key.");
  return key ?? null;
}

/** How far back a receiver remembers (WSH) is its own affair; what begins with a hyphen may be left out (section 6.3). */
const isIndifferent = (session: string): boolean =>
  session.split(/\s+/).every((each) => each === "" || each.startsWith("-") || /^WSH=\d+$/.test(each));

export const cryptoLines = (
  keys: readonly SdesKey[],
): NonNullable<sdpTransform.SessionDescription["media"][number]["crypto"]> =>
  keys.map(({ tag, suite, key }) => ({ id: tag, suite, config: `inline:${key.toString("base64")}` }));

/** Beside a line that is told in the clear, keys say that it may be sealed as well (RFC 8643). */
export function withSdesKeys(sdp: string, keys: readonly SdesKey[]): string {
  const session = sdpTransform.parse(sdp);
  const media = session.media.map((line) => ({ ...line, crypto: cryptoLines(keys) }));
  return sdpTransform.write({ ...session, media });
}

/** The description as it may be kept: whoever reads it there cannot listen in. */
export const withoutSdesKeys = (sdp: string): string => sdp.replaceAll(/^a=crypto:.*\r?\n/gm, "");

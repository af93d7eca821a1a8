import {
  isNowhere,
  readRtpDescription,
  type RtpCodec,
  type RtpDescription,
  takesSound,
  writeRtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";
import { readTakenKey, type SdesKey, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import * as sdpTransform from "sdp-transform";

import { UnusableOffer } from "../media-plane.ts";
import { type BrowserOffer, readBrowserOffer, type OurSide } from "../worker/browser-description.ts";

/** What far ends expect where the browser has named no number of its own. */
const usualTelephoneEventType = 101;

export interface NearSide {
  offer: BrowserOffer;
  /** The browser's audio line alone, with the one codec that its answer will name: it has that before any far end is there. */
  describe(telephoneEventType?: number): string;
  telephoneEventType: number;
}

const phoneCodecs: RtpCodec[] = ["PCMU", "PCMA", "G722"];

/** Throws UnusableOffer as readBrowserOffer does. */
export function readNearSide(sdp: string): NearSide {
  const offer = { ...readBrowserOffer(sdp), opus: undefined, takesG722: false };
  const telephoneEventType = offer.telephoneEventType ?? usualTelephoneEventType;
  const describe = (eventType = telephoneEventType): string =>
    describeBrowser(offer, { codecs: [offer.codec], telephoneEventType: eventType });
  return { offer, describe, telephoneEventType };
}

/**
 * The number by which both sides of the node are to send keys. A far end may answer with another one than it was offered; a node
 * that is told two numbers sends none.
 */
export const keyNumberOf = (farDescription: string | null, { telephoneEventType }: NearSide): number =>
  (farDescription === null ? null : readRtpDescription(farDescription)?.telephoneEventType) ?? telephoneEventType;

/** What of a far end's description, and of our own key, a node is told with the browser's side. */
export const toldWithNear = (farDescription: string | null, near: NearSide, ourKey: SdesKey | null): string =>
  [ourKey?.suite, ourKey?.tag, keyNumberOf(farDescription, near)].join();

function describeBrowser(offer: BrowserOffer, given: Pick<RtpDescription, "codecs" | "telephoneEventType">): string {
  const line = offer.session.media[offer.audioIndex];
  const lines = sdpTransform.parse(writeRtpDescription({ host: "0.0.0.0", port: 9, ...given }));
  const media = lines.media.map((ours) => ({
    ...ours,
    protocol: line?.protocol ?? "UDP/TLS/RTP/SAVPF",
    ...(line?.candidates && { candidates: line.candidates }),
    iceUfrag: offer.usernameFragment,
    icePwd: offer.password,
    setup: line?.setup ?? offer.session.setup ?? "actpass",
    fingerprint: fingerprintOf(offer),
    rtcpMux: "rtcp-mux" as const,
  }));
  return sdpTransform.write({ ...lines, media });
}

function fingerprintOf({ fingerprints }: BrowserOffer): { type: string; hash: string } {
  const [first] = fingerprints;
  return { type: first?.algorithm ?? "", hash: first?.value ?? "" };
}

/** Those that the node puts the browser's sound into, where a far end wants that. */
export const codecsToPut = ({ offer }: NearSide): RtpCodec[] => phoneCodecs.filter((codec) => codec !== offer.codec);

/** What is offered to whoever is called: the browser's own codec first. */
export function describeFarEnd(near: NearSide, at: { host: string; port: number }): string {
  const codecs = [near.offer.codec, ...codecsToPut(near)];
  return writeRtpDescription({ ...at, codecs, telephoneEventType: near.telephoneEventType });
}

/**
 * What a far end has said, as a node is told it: in the one codec that it is sent, with its key where it seals. One on hold that
 * names no address is where it was; null if that isn't known.
 */
export function readFarEnd(sdp: string, before: string | null): { described: string; takesSound: boolean } | null {
  const description = readRtpDescription(sdp);
  if (!description) throw new Error("The carrier's answer has no audio line in a codec of ours.");
  const last = isNowhere(description.host) ? before && readRtpDescription(before) : description;
  if (!last) return null;
  const { host, port } = last;
  return { described: writeFarEnd(sdp, { ...description, host, port }), takesSound: takesSound(description) };
}

/** The same far end at another port. */
export function atPort(sdp: string, port: number): string {
  const description = readRtpDescription(sdp);
  if (!description) throw new Error("The far end has no audio line in a codec of ours.");
  return writeFarEnd(sdp, { ...description, port });
}

function writeFarEnd(sdp: string, description: RtpDescription): string {
  const key = readTakenKey(sdp);
  const codecs = description.codecs.slice(0, 1);
  // Whether it is sent audio is for us to decide: a node that was told would not pass on what it plays or sends either.
  const clear = writeRtpDescription({ ...description, codecs, rtcpMux: undefined, direction: undefined });
  return key ? withSdesKeys(clear, [key]).replace(/^(m=audio \d+) RTP\/AVP /m, "$1 RTP/SAVP ") : clear;
}

/** A far end that is not there yet: nothing is sent to it, and nothing is taken from it. */
export function nobody(near: NearSide): string {
  const parsed = sdpTransform.parse(describeFarEnd(near, { host: "127.0.0.1", port: 9 }));
  return sdpTransform.write({ ...parsed, media: parsed.media.map((media) => ({ ...media, direction: "inactive" })) });
}

/** The same description, as whoever reaches us at that address is told. */
export function atAddress(sdp: string, host: string): string {
  const description = readRtpDescription(sdp);
  if (!description) throw new Error("Nothing here takes sound for the rtpengine.");
  return writeRtpDescription({ ...description, host, rtcpMux: undefined });
}

/** Where the node listens for the far end. */
export function readPlainSide(sdp: string): { host: string; port: number } {
  const { connection, media } = sdpTransform.parse(sdp);
  const [audio] = media;
  const host = audio?.connection?.ip ?? connection?.ip;
  if (!audio || host === undefined || audio.port === 0) throw new Error("The rtpengine opened no port for a far end.");
  return { host, port: audio.port };
}

/** The node's ICE and DTLS, for the answer that the browser is given. Throws UnusableOffer where it has none: it drops what it cannot read. */
export function readSealedSide(sdp: string): Omit<OurSide, "version"> {
  const [audio] = sdpTransform.parse(sdp).media;
  if (audio?.iceUfrag === undefined || audio.icePwd === undefined || !audio.fingerprint)
    throw new UnusableOffer("The rtpengine opened no port for the browser’s offer.");
  const candidates = (audio.candidates ?? []).filter(({ component }) => Number(component) === 1);
  return {
    usernameFragment: String(audio.iceUfrag),
    password: String(audio.icePwd),
    fingerprint: { algorithm: audio.fingerprint.type, value: audio.fingerprint.hash },
    candidates: candidates.map(({ foundation, priority, ip, port }) => ({
      foundation: String(foundation),
      priority: Number(priority),
      ip,
      port,
    })),
  };
}

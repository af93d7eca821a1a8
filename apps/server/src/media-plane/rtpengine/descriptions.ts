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

/** What far ends expect if the browser has not named a payload type of its own. */
const defaultTelephoneEventType = 101;

export interface NearSide {
  offer: BrowserOffer;
  /** Describes the browser's audio line with the single codec that its answer will name, before there is a far end. */
  describe(telephoneEventType?: number): string;
  telephoneEventType: number;
}

const phoneCodecs: RtpCodec[] = ["PCMU", "PCMA", "G722"];

/** Throws UnusableOffer as readBrowserOffer does. */
export function readNearSide(sdp: string): NearSide {
  const offer = { ...readBrowserOffer(sdp), opus: undefined, takesG722: false };
  const telephoneEventType = offer.telephoneEventType ?? defaultTelephoneEventType;
  const describe = (eventType = telephoneEventType): string =>
    describeBrowser(offer, { codecs: [offer.codec], telephoneEventType: eventType });
  return { offer, describe, telephoneEventType };
}

/**
 * The payload type for telephone events on both sides of the rtpengine. A far end may answer with another one than it
 * was offered; an rtpengine that gets two different ones sends no events.
 */
export const keyNumberOf = (farDescription: string | null, { telephoneEventType }: NearSide): number =>
  (farDescription === null ? null : readRtpDescription(farDescription)?.telephoneEventType) ?? telephoneEventType;

/** What an rtpengine needs of the far end's description, and of our own key, with the browser's side. */
export const describeWithNear = (farDescription: string | null, near: NearSide, ourKey: SdesKey | null): string =>
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

/** The codecs that rtpengine transcodes the browser's audio into if a far end wants them. */
export const codecsToPut = ({ offer }: NearSide): RtpCodec[] => phoneCodecs.filter((codec) => codec !== offer.codec);

/** The offer to the callee: the browser's own codec comes first. */
export function describeFarEnd(near: NearSide, at: { host: string; port: number }): string {
  const codecs = [near.offer.codec, ...codecsToPut(near)];
  return writeRtpDescription({ ...at, codecs, telephoneEventType: near.telephoneEventType });
}

/**
 * A far end's description as the rtpengine gets it: with the one codec that it is sent, and its key if it encrypts. A
 * held one without an address stays at its previous address; null if that isn't known.
 */
export function readFarEnd(sdp: string, before: string | null): { described: string; takesSound: boolean } | null {
  const description = readRtpDescription(sdp);
  if (!description) throw new Error("The carrier's answer has no audio line in a codec of ours.");
  const last = isNowhere(description.host) ? before && readRtpDescription(before) : description;
  if (!last) return null;
  const { host, port } = last;
  return { described: writeFarEnd(sdp, { ...description, host, port }), takesSound: takesSound(description) };
}

/** The same far end on another port. */
export function atPort(sdp: string, port: number): string {
  const description = readRtpDescription(sdp);
  if (!description) throw new Error("The far end has no audio line in a codec of ours.");
  return writeFarEnd(sdp, { ...description, port });
}

function writeFarEnd(sdp: string, description: RtpDescription): string {
  const key = readTakenKey(sdp);
  const codecs = description.codecs.slice(0, 1);
  // We decide whether it is sent audio: an rtpengine that saw the direction wouldn't pass on its own playback or DTMF
  // either.
  const clear = writeRtpDescription({ ...description, codecs, rtcpMux: undefined, direction: undefined });
  return key ? withSdesKeys(clear, [key]).replace(/^(m=audio \d+) RTP\/AVP /m, "$1 RTP/SAVP ") : clear;
}

/** A placeholder far end: nothing is sent to it or accepted from it. */
export function nobody(near: NearSide): string {
  const parsed = sdpTransform.parse(describeFarEnd(near, { host: "127.0.0.1", port: 9 }));
  return sdpTransform.write({ ...parsed, media: parsed.media.map((media) => ({ ...media, direction: "inactive" })) });
}

/** The same description with the address at which the far end reaches us. */
export function atAddress(sdp: string, host: string): string {
  const description = readRtpDescription(sdp);
  if (!description) throw new Error("No port here receives audio from the rtpengine.");
  return writeRtpDescription({ ...description, host, rtcpMux: undefined });
}

/** Where the rtpengine listens for the far end. */
export function readPlainSide(sdp: string): { host: string; port: number } {
  const { connection, media } = sdpTransform.parse(sdp);
  const [audio] = media;
  const host = audio?.connection?.ip ?? connection?.ip;
  if (!audio || host === undefined || audio.port === 0) throw new Error("The rtpengine opened no port for a far end.");
  return { host, port: audio.port };
}

/**
 * The rtpengine's ICE and DTLS, for the answer to the browser. Throws UnusableOffer if there is none: rtpengine drops
 * what it can't parse.
 */
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

import { randomInt } from "node:crypto";

import type { SoundCodec } from "@leadline/adapter-kit/rtp/g711";
import {
  codecLines,
  hasOnlyPayloadTypes,
  type PayloadTypes,
  payloadTypesIn,
  readPayloadTypes,
  type RtpCodec,
  soundCodecOf,
  soundPayloadTypes,
} from "@leadline/adapter-kit/rtp/rtp-description";
import * as sdpTransform from "sdp-transform";

import { UnusableOffer } from "../media-plane.ts";

/** What we need from a browser's offer (RFC 8829) with one audio line. */
export interface BrowserOffer extends PayloadTypes {
  session: sdpTransform.SessionDescription;
  audioIndex: number;
  /** The G.711 codec; Opus is additional. */
  codec: SoundCodec;
  takesG722: boolean;
  usernameFragment: string;
  password: string;
  fingerprints: { algorithm: string; value: string }[];
  /** The browser won't start DTLS, so we must. */
  weStartDtls: boolean;
}

export function readBrowserOffer(sdp: string): BrowserOffer {
  const session = sdpTransform.parse(sdp);
  const audioIndex = session.media.findIndex(({ type, port }) => type === "audio" && port !== 0);
  const audio = session.media[audioIndex];
  if (!audio) throw new UnusableOffer("The browser’s offer has no audio line.");

  if (!hasOnlyPayloadTypes(audio)) throw new UnusableOffer("The browser’s offer has a number that RTP does not have.");
  const codec = payloadTypesIn(audio)
    .map(soundCodecOf)
    .find((known) => known !== null);
  if (codec === undefined) throw new UnusableOffer("The browser’s offer has neither PCMU nor PCMA.");

  const usernameFragment = audio.iceUfrag ?? session.iceUfrag;
  const password = audio.icePwd ?? session.icePwd;
  const fingerprint = audio.fingerprint ?? session.fingerprint;
  if (usernameFragment === undefined || password === undefined || !fingerprint) {
    throw new UnusableOffer("The browser’s offer lacks its ICE credentials or its certificate’s fingerprint.");
  }
  return {
    session,
    audioIndex,
    codec,
    takesG722: payloadTypesIn(audio).includes(soundPayloadTypes.G722),
    ...readPayloadTypes(audio),
    usernameFragment: String(usernameFragment),
    password: String(password),
    fingerprints: [{ algorithm: fingerprint.type, value: fingerprint.hash }],
    weStartDtls: (audio.setup ?? session.setup) === "passive",
  };
}

export interface OurSide {
  usernameFragment: string;
  password: string;
  fingerprint: { algorithm: string; value: string };
  candidates: { foundation: string; priority: number; ip: string; port: number }[];
  version: number;
}

/**
 * Accepts the audio line and declines the others: an answer must contain each line of its offer (RFC 3264, section 6).
 */
export function writeBrowserAnswer(offer: BrowserOffer, ours: OurSide): string {
  const id = randomInt(1, 2 ** 31);
  const media = offer.session.media.map((line, index) =>
    index === offer.audioIndex
      ? audioAnswer(offer, ours)
      : {
          type: line.type,
          port: 0,
          protocol: line.protocol,
          payloads: line.payloads ?? "0",
          rtp: [],
          fmtp: [],
          ...midOf(line),
        },
  );
  const mid = offer.session.media[offer.audioIndex]?.mid;
  return sdpTransform.write({
    version: 0,
    origin: {
      username: "-",
      sessionId: id,
      sessionVersion: ours.version,
      netType: "IN",
      ipVer: 4,
      address: "127.0.0.1",
    },
    name: "-",
    timing: { start: 0, stop: 0 },
    ...(mid === undefined ? {} : { groups: [{ type: "BUNDLE", mids: String(mid) }] }),
    media,
  });
}

function midOf(line: { mid?: string | undefined }): { mid?: string } {
  return line.mid === undefined ? {} : { mid: String(line.mid) };
}

/**
 * G.711 comes first and is what the browser sends initially; Opus and G.722 are there for a far end that speaks them.
 * Chromium 153 lets a page choose between them (RTCRtpEncodingParameters.codec) only if Opus is answered with the
 * browser's own parameters and without ptime, which defaults to 20 ms.
 */
function codecsFor(
  offer: BrowserOffer,
  line: sdpTransform.SessionDescription["media"][number] | undefined,
): ReturnType<typeof codecLines> & { ptime?: number } {
  const { codec, opus, takesG722 } = offer;
  const wideband: RtpCodec[] = takesG722 ? ["G722"] : [];
  if (!opus) return { ...codecLines({ ...offer, codecs: [codec, ...wideband] }), ptime: 20 };
  const { fmtp, ...lines } = codecLines({ ...offer, codecs: [codec, "opus", ...wideband] });
  const own = line?.fmtp.filter(({ payload }) => payload === opus.payloadType) ?? [];
  return { ...lines, fmtp: [...own, ...fmtp.filter(({ payload }) => payload !== opus.payloadType)] };
}

function audioAnswer(offer: BrowserOffer, ours: OurSide): sdpTransform.SessionDescription["media"][number] {
  const line = offer.session.media[offer.audioIndex];
  const answers = { sendrecv: "sendrecv", sendonly: "recvonly", recvonly: "sendonly", inactive: "inactive" } as const;
  return {
    type: "audio",
    port: 9,
    protocol: line?.protocol ?? "UDP/TLS/RTP/SAVPF",
    connection: { version: 4, ip: "0.0.0.0" },
    ...codecsFor(offer, line),
    ...midOf(line ?? {}),
    direction: answers[line?.direction ?? "sendrecv"],
    rtcpMux: "rtcp-mux",
    iceUfrag: ours.usernameFragment,
    icePwd: ours.password,
    fingerprint: { type: ours.fingerprint.algorithm, hash: ours.fingerprint.value },
    setup: offer.weStartDtls ? "active" : "passive",
    msid: [{ id: "far-end", appdata: "far-end-audio" }],
    candidates: ours.candidates.map((candidate) => ({ ...candidate, component: 1, transport: "udp", type: "host" })),
    endOfCandidates: "end-of-candidates",
  };
}

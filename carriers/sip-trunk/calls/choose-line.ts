import {
  codecOf,
  parseSdp,
  payloadTypesIn,
  readPayloadTypes,
  readRtpDescription,
  type RtpCodec,
  type RtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";
import { cryptoLines, readSdesKeys, type SdesKey } from "@leadline/adapter-kit/rtp/sdes";
import { tidySdp } from "@leadline/adapter-kit/rtp/tidy-sdp";
import * as sdpTransform from "sdp-transform";

/**
 * RTP/SAVP: encrypted only (RFC 4568). RTP/AVP: unencrypted, or encrypted if both sides exchange keys anyway (RFC
 * 8643). Both also exist with feedback (RFC 4585), of which we send none.
 */
export const protocols = ["RTP/AVP", "RTP/SAVP", "RTP/AVPF", "RTP/SAVPF"] as const;
export type Protocol = (typeof protocols)[number];
/** Whether a call's audio is encrypted (SRTP): never, if both sides can, or always. */
export const mediaEncryptions = ["never", "possibly", "always"] as const;
export type MediaEncryption = (typeof mediaEncryptions)[number];

export interface ChosenLine {
  /** Its index among all lines of the description. */
  index: number;
  description: RtpDescription;
  codec: RtpCodec;
  protocol: Protocol;
  /** The far end's encryption key; null if it doesn't encrypt. */
  key: SdesKey | null;
  /** A description with only this line, in our codecs, with or without its key. */
  alone: string;
}

/**
 * The line of a far end's description that the call uses: encrypted before unencrypted, otherwise in the given order.
 * Its codec is the far end's first one that we support; but Opus is taken from anywhere in an offer if it is our first
 * choice.
 */
export function chooseLine(
  sdp: string,
  { codecs, sealing, isOffer }: { codecs: readonly RtpCodec[]; sealing: MediaEncryption; isOffer: boolean },
): ChosenLine | null {
  const liftsOpus = isOffer && codecs[0] === "opus";
  const session = parseSdp(sdp);
  const sections = tidySdp(sdp).split(/^m=/m).slice(1);
  const lines = session.media.flatMap((media, index): ChosenLine[] => {
    const protocol = protocols.find((each) => each === media.protocol.toUpperCase());
    if (media.type !== "audio" || media.port === 0 || protocol === undefined) return [];
    const isSealed = protocol.startsWith("RTP/SAVP");
    const key = (sealing === "never" ? undefined : readSdesKeys(sections[index] ?? "")[0]) ?? null;
    if (key === null && (sealing === "always" || isSealed)) return [];
    const description = readRtpDescription(sdpTransform.write({ ...session, media: [media] }));
    const common = description?.codecs.filter((each) => codecs.includes(each)) ?? [];
    const codec = liftsOpus && common.includes("opus") ? "opus" : common[0];
    if (!description || codec === undefined) return [];
    const plain = { ...media, protocol: isSealed ? "RTP/SAVP" : "RTP/AVP" };
    const taken = { ...inCodecs(plain, codecs), crypto: cryptoLines(key ? [key] : []) };
    const alone = sdpTransform.write({ ...session, media: [taken] });
    return [{ index, description, codec, protocol, key, alone }];
  });
  return lines.find(({ key }) => key !== null) ?? lines[0] ?? null;
}

type Media = sdpTransform.SessionDescription["media"][number];

/**
 * The media plane uses the first codec of a far end's description, so codecs that this trunk doesn't allow are removed.
 */
function inCodecs(media: Media, codecs: readonly RtpCodec[]): Media {
  const types = readPayloadTypes(media);
  const isTaken = (payload: number): boolean => {
    const codec = codecOf(payload, types);
    return codec === null || codecs.includes(codec);
  };
  return {
    ...media,
    rtp: media.rtp.filter(({ payload }) => isTaken(payload)),
    payloads: payloadTypesIn(media).filter(isTaken).join(" "),
  };
}

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
 * RTP/SAVP: only sealed (RFC 4568). RTP/AVP: in the clear, or sealed where both sides tell keys beside (RFC 8643). Either may be
 * with feedback (RFC 4585), of which we send none.
 */
export const protocols = ["RTP/AVP", "RTP/SAVP", "RTP/AVPF", "RTP/SAVPF"] as const;
export type Protocol = (typeof protocols)[number];
/** Whether a call's sound is sealed (SRTP): not at all, where both sides can, or in any case. */
export const sealings = ["never", "possibly", "always"] as const;
export type Sealing = (typeof sealings)[number];

export interface ChosenLine {
  /** Among the lines of the whole description. */
  index: number;
  description: RtpDescription;
  codec: RtpCodec;
  protocol: Protocol;
  /** What the far end seals with; null: it does not. */
  key: SdesKey | null;
  /** The description with this line alone, in our codecs, with its key or none. */
  alone: string;
}

/**
 * The line of a far end's description that the call takes: sealed before clear, then in the order given. Its codec is the far
 * end's first that is ours; but of an offer Opus is taken wherever it stands, if it is our first.
 */
export function chooseLine(
  sdp: string,
  { codecs, sealing, isOffer }: { codecs: readonly RtpCodec[]; sealing: Sealing; isOffer: boolean },
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

/** The media plane takes the first codec of a far end's description: one that this trunk does not take is left out of it. */
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

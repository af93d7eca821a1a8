import { randomInt } from "node:crypto";
import { isIP } from "node:net";

import * as sdpTransform from "sdp-transform";

import { samplesPerPacket, type SoundCodec } from "./g711.ts";
import { tidySdp } from "./tidy-sdp.ts";

/** Codecs with a static payload type. G.722 is wideband. */
type StaticCodec = SoundCodec | "G722";

/** The codecs of an audio line: these, or Opus (RFC 7587). */
export type RtpCodec = StaticCodec | "opus";

/**
 * RTP timestamp rates, whatever Opus contains (RFC 7587, section 4.1), and although G.722 has 16,000 samples (RFC 3551,
 * section 4.5.2).
 */
export const clockRates: Record<RtpCodec, number> = { PCMU: 8_000, PCMA: 8_000, G722: 8_000, opus: 48_000 };

export type Direction = "sendrecv" | "sendonly" | "recvonly" | "inactive";

/** A line's dynamic payload types. */
export interface PayloadTypes {
  /** RFC 4733, at G.711's clock rate; null if digits can't be sent this way. */
  telephoneEventType: number | null;
  /** If Opus is among the codecs; its telephone events use its clock rate. */
  opus?: { payloadType: number; telephoneEventType: number | null } | undefined;
  /** Codecs with a static payload type that are listed under another one (RFC 3551, section 3). */
  renumbered?: Partial<Record<StaticCodec, number>> | undefined;
}

/** One side of a plain RTP/AVP audio line: where it listens and what it accepts, in its order of preference. */
export interface RtpDescription extends PayloadTypes {
  /** An address or a host name. */
  host: string;
  port: number;
  codecs: RtpCodec[];
  /** Where it receives RTCP, on the same host (RFC 3605); the next port if undefined. */
  rtcpPort?: number | undefined;
  /** It receives RTCP on its audio port, if both sides support it (RFC 5761). */
  rtcpMux?: boolean | undefined;
  /** Of this side; sendrecv if undefined. */
  direction?: Exclude<Direction, "sendrecv"> | undefined;
}

/** RFC 3551, table 4: static, so they need no rtpmap. */
export const soundPayloadTypes: Record<StaticCodec, number> = { PCMU: 0, PCMA: 8, G722: 9 };

export const soundCodecs: readonly SoundCodec[] = ["PCMU", "PCMA"];
const staticCodecs: readonly StaticCodec[] = [...soundCodecs, "G722"];

export function soundCodecOf(payloadType: number): SoundCodec | null {
  if (payloadType === 0) return "PCMU";
  return payloadType === 8 ? "PCMA" : null;
}

export const isG711 = (codec: RtpCodec): codec is SoundCodec => codec === "PCMU" || codec === "PCMA";

/** Telephone quality: 16,000 samples a second, with forward error correction (RFC 7587, section 6.1). */
const opusParameters = "maxplaybackrate=16000;useinbandfec=1";

type AudioLine = sdpTransform.SessionDescription["media"][number];

/** The lines that describe codecs and telephone events. */
export function codecLines(
  line: Pick<RtpDescription, "codecs"> & PayloadTypes,
): Pick<AudioLine, "payloads" | "rtp" | "fmtp"> {
  const { codecs, telephoneEventType } = line;
  const opus = codecs.includes("opus") ? line.opus : undefined;
  const sound = codecs.flatMap((codec): AudioLine["rtp"] => {
    const rate = clockRates[codec];
    if (codec !== "opus") return [{ payload: payloadTypeOf(codec, line), codec, rate }];
    return opus ? [{ payload: opus.payloadType, codec, rate, encoding: 2 }] : [];
  });
  const events = [
    { payload: opus?.telephoneEventType ?? null, rate: clockRates.opus },
    { payload: telephoneEventType, rate: clockRates.PCMU },
  ].flatMap(({ payload, rate }) => (payload === null ? [] : [{ payload, codec: "telephone-event", rate }]));
  const rtp = [...sound, ...events];
  return {
    payloads: rtp.map(({ payload }) => payload).join(" "),
    rtp,
    fmtp: [
      ...(opus ? [{ payload: opus.payloadType, config: opusParameters }] : []),
      ...events.map(({ payload }) => ({ payload, config: "0-15" })),
    ],
  };
}

export function writeRtpDescription(description: RtpDescription): string {
  const { host, port, rtcpPort, rtcpMux } = description;
  const ipVer = isIP(host) === 6 ? 6 : 4;
  const id = randomInt(1, 2 ** 31);
  return sdpTransform.write({
    version: 0,
    origin: { username: "-", sessionId: id, sessionVersion: id, netType: "IN", ipVer, address: host },
    name: "-",
    connection: { version: ipVer, ip: host },
    timing: { start: 0, stop: 0 },
    media: [
      {
        type: "audio",
        port,
        protocol: "RTP/AVP",
        ...codecLines(description),
        ...(rtcpPort !== undefined && { rtcp: { port: rtcpPort } }),
        ...(rtcpMux && { rtcpMux: "rtcp-mux" as const }),
        ptime: (samplesPerPacket * 1000) / 8000,
        direction: description.direction ?? "sendrecv",
      },
    ],
  });
}

export const parseSdp = (sdp: string): sdpTransform.SessionDescription => sdpTransform.parse(tidySdp(sdp));

/** Null if the description has no open audio line with a codec of ours (port 0 closes a line, RFC 3264, section 6). */
export function readRtpDescription(sdp: string): RtpDescription | null {
  const session = parseSdp(sdp);
  const audio = session.media.find((media) => media.type === "audio" && media.port !== 0);
  const host = audio?.connection?.ip ?? session.connection?.ip;
  if (!audio || host === undefined || !isHost(host)) return null;

  const types = readPayloadTypes(audio);
  const codecs = payloadTypesIn(audio)
    .map((payloadType) => codecOf(payloadType, types))
    .filter((codec) => codec !== null);
  const direction = audio.direction ?? session.direction ?? "sendrecv";
  if (codecs.length === 0) return null;
  return {
    host,
    port: audio.port,
    codecs: [...new Set(codecs)],
    ...types,
    ...(audio.rtcp && isPort(audio.rtcp.port) && { rtcpPort: audio.rtcp.port }),
    ...(audio.rtcpMux && { rtcpMux: true }),
    ...(direction !== "sendrecv" && { direction }),
  };
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536;

const isHost = (host: string): boolean => isIP(host) !== 0 || /^[a-z\d]([a-z\d.-]{0,252}[a-z\d])?\.?$/i.test(host);

/** No address: how hold was signalled before there were directions (RFC 2543, section B.5). */
export const isNowhere = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** Whether this side accepts audio (RFC 3264, sections 6.1 and 8.4). */
export const takesSound = ({ host, direction }: Pick<RtpDescription, "host" | "direction">): boolean =>
  !isNowhere(host) && direction !== "sendonly" && direction !== "inactive";

/** Whether this side sends audio. */
export const sendsSound = ({ host, direction }: Pick<RtpDescription, "host" | "direction">): boolean =>
  !isNowhere(host) && direction !== "recvonly" && direction !== "inactive";

const formatsIn = (audio: AudioLine): string[] =>
  String(audio.payloads ?? "")
    .split(/\s+/)
    .filter((format) => format !== "");

/** A packet has seven bits for its payload type (RFC 3550, section 5.1). */
const isPayloadType = (format: string): boolean => /^\d{1,3}$/.test(format) && Number(format) < 128;

export const payloadTypesIn = (audio: AudioLine): number[] => formatsIn(audio).filter(isPayloadType).map(Number);

export const hasOnlyPayloadTypes = (audio: AudioLine): boolean => formatsIn(audio).every(isPayloadType);

export function readPayloadTypes(audio: AudioLine): PayloadTypes {
  const listed = payloadTypesIn(audio);
  const named = (name: string, clockRate: number): number | null =>
    audio.rtp.find(
      ({ payload, codec, rate }) =>
        codec.toLowerCase() === name && (rate ?? clockRates.PCMU) === clockRate && listed.includes(payload),
    )?.payload ?? null;
  const opusType = named("opus", clockRates.opus);
  const renumbered = staticCodecs.flatMap((codec) => {
    const payloadType = listed.includes(soundPayloadTypes[codec])
      ? null
      : named(codec.toLowerCase(), clockRates[codec]);
    return payloadType === null ? [] : [[codec, payloadType] as const];
  });
  return {
    telephoneEventType: named("telephone-event", clockRates.PCMU),
    ...(renumbered.length > 0 && { renumbered: Object.fromEntries(renumbered) }),
    ...(opusType !== null && {
      opus: { payloadType: opusType, telephoneEventType: named("telephone-event", clockRates.opus) },
    }),
  };
}

export function codecOf(payloadType: number, { opus, renumbered = {} }: PayloadTypes): RtpCodec | null {
  if (payloadType === opus?.payloadType) return "opus";
  return (
    staticCodecs.find((codec) => renumbered[codec] === payloadType) ??
    staticCodecs.find((codec) => soundPayloadTypes[codec] === payloadType) ??
    null
  );
}

export function payloadTypeOf(codec: RtpCodec, { opus, renumbered }: PayloadTypes): number {
  if (codec !== "opus") return renumbered?.[codec] ?? soundPayloadTypes[codec];
  if (!opus) throw new Error("Opus has no number on this leg.");
  return opus.payloadType;
}

/** Answers an offer in a codec with a static payload type: the first one, and the offer's own telephone-event type. */
export function answerRtpDescription(offer: RtpDescription, ours: { host: string; port: number }): RtpDescription {
  return {
    ...ours,
    codecs: offer.codecs.filter((codec) => codec !== "opus").slice(0, 1),
    telephoneEventType: offer.telephoneEventType,
  };
}

import { randomInt } from "node:crypto";
import { isIP } from "node:net";

import * as sdpTransform from "sdp-transform";

import { samplesPerPacket, type SoundCodec } from "./g711.ts";

/** One side of a plain RTP/AVP audio line: where it listens and what it takes, in its order of preference. */
export interface RtpDescription {
  host: string;
  port: number;
  codecs: SoundCodec[];
  /** RFC 4733; null where keys cannot be sent. */
  telephoneEventType: number | null;
}

/** RFC 3551, table 4: static, so no rtpmap is needed to know them. */
export const soundPayloadTypes: Record<SoundCodec, number> = { PCMU: 0, PCMA: 8 };

export const soundCodecs: readonly SoundCodec[] = ["PCMU", "PCMA"];

export function soundCodecOf(payloadType: number): SoundCodec | null {
  if (payloadType === 0) return "PCMU";
  return payloadType === 8 ? "PCMA" : null;
}

export function writeRtpDescription(description: RtpDescription): string {
  const { host, port, codecs, telephoneEventType } = description;
  const ipVer = isIP(host) === 6 ? 6 : 4;
  const id = randomInt(1, 2 ** 31);
  const rtp = codecs.map((codec) => ({ payload: soundPayloadTypes[codec], codec: String(codec), rate: 8000 }));
  if (telephoneEventType !== null) rtp.push({ payload: telephoneEventType, codec: "telephone-event", rate: 8000 });
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
        payloads: rtp.map(({ payload }) => payload).join(" "),
        rtp,
        fmtp: telephoneEventType === null ? [] : [{ payload: telephoneEventType, config: "0-15" }],
        ptime: (samplesPerPacket * 1000) / 8000,
        direction: "sendrecv",
      },
    ],
  });
}

/** Null where the description holds no audio line with PCMU or PCMA that is open (port 0 closes a line, RFC 3264, section 6). */
export function readRtpDescription(sdp: string): RtpDescription | null {
  const session = sdpTransform.parse(sdp);
  const audio = session.media.find((media) => media.type === "audio" && media.port !== 0);
  const host = audio?.connection?.ip ?? session.connection?.ip;
  if (!audio || host === undefined || isIP(host) === 0) return null;

  const payloadTypes = String(audio.payloads ?? "")
    .split(" ")
    .map(Number);
  const codecs = payloadTypes.map(soundCodecOf).filter((codec) => codec !== null);
  if (codecs.length === 0) return null;
  const event = audio.rtp.find(
    ({ codec, rate }) => codec.toLowerCase() === "telephone-event" && (rate ?? 8000) === 8000,
  );
  return { host, port: audio.port, codecs, telephoneEventType: event?.payload ?? null };
}

/** What answers an offer: the first codec both sides take, and the offer's own number for telephone events. */
export function answerRtpDescription(offer: RtpDescription, ours: { host: string; port: number }): RtpDescription {
  return { ...ours, codecs: offer.codecs.slice(0, 1), telephoneEventType: offer.telephoneEventType };
}

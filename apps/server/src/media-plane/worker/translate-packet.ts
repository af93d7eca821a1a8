import { convertSound } from "@leadline/adapter-kit/rtp/g711";
import { isG711, type PayloadTypes, payloadTypeOf, type RtpCodec } from "@leadline/adapter-kit/rtp/rtp-description";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { rescaleKey } from "@leadline/adapter-kit/rtp/telephone-event";

import { telephoneEventFor, type PacketFormat } from "./packet-formats.ts";
import type { SoundDecoder, SoundEncoder } from "./audio-codecs.ts";

export interface Translation {
  payloadType: number;
  payload: Buffer;
  /** Whether it is a telephone event. */
  isKey: boolean;
}

/**
 * Translates a packet for a listener with this codec and these payload types: the payload is untouched if the codec
 * matches; null if it can't be translated.
 */
export function translatePacket(
  packet: RtpPacket,
  { codec: from, clockRate }: PacketFormat,
  { codec: to, types }: { codec: RtpCodec; types: PayloadTypes },
  by: { decoder: SoundDecoder; encoder: SoundEncoder },
): Translation | null {
  if (from === null) {
    const keys = telephoneEventFor(to, types);
    return (
      keys && {
        payloadType: keys.payloadType,
        payload: rescaleKey(packet.payload, clockRate, keys.clockRate),
        isKey: true,
      }
    );
  }
  const payload = convert(packet, { from, to }, by);
  return payload && { payloadType: payloadTypeOf(to, types), payload, isKey: false };
}

function convert(
  packet: RtpPacket,
  { from, to }: { from: RtpCodec; to: RtpCodec },
  { decoder, encoder }: { decoder: SoundDecoder; encoder: SoundEncoder },
): Buffer | null {
  if (from === to) return packet.payload;
  if (isG711(from) && isG711(to)) return convertSound(packet.payload, from, to);
  const read = decoder.read(packet, from);
  return read && encoder.encode(read.samples, to);
}

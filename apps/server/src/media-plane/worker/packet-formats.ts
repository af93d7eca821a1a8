import { clockRates, codecOf, type PayloadTypes, type RtpCodec } from "@leadline/adapter-kit/rtp/rtp-description";

/** What a packet holds: audio, or part of a telephone event if `codec` is null; and its clock rate. */
export interface PacketFormat {
  codec: RtpCodec | null;
  clockRate: number;
}

export function formatOf(payloadType: number, types: PayloadTypes): PacketFormat | null {
  const codec = codecOf(payloadType, types);
  if (codec !== null) return { codec, clockRate: clockRates[codec] };
  if (payloadType === types.telephoneEventType) return { codec, clockRate: clockRates.PCMU };
  return payloadType === types.opus?.telephoneEventType ? { codec, clockRate: clockRates.opus } : null;
}

/**
 * How telephone events are sent with this codec: at its own clock rate, or at G.711's for a peer that knows no other;
 * null if they can't be.
 */
export function telephoneEventFor(
  codec: RtpCodec,
  types: PayloadTypes,
): { payloadType: number; clockRate: number } | null {
  const ownType = codec === "opus" ? types.opus?.telephoneEventType : null;
  if (typeof ownType === "number") return { payloadType: ownType, clockRate: clockRates[codec] };
  const { telephoneEventType } = types;
  return telephoneEventType === null ? null : { payloadType: telephoneEventType, clockRate: clockRates.PCMU };
}

import { decodeSound, encodeSound, sampleRate, samplesPerPacket, silence } from "@leadline/adapter-kit/rtp/g711";
import { createG722Decoder, createG722Encoder } from "@leadline/adapter-kit/rtp/g722";
import { clockRates, isG711, type RtpCodec } from "@leadline/adapter-kit/rtp/rtp-description";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { Decoder, Encoder } from "@evan/opus/wasm/index.mjs";

import { rescaleTimestamps } from "./rescale-timestamps.ts";

/** opus_defines.h. */
const setComplexity = 4010;
/** Of 10: telephone audio gains little above 5, and 10 costs three times as much. */
const complexity = 5;

/**
 * What a G.722 encoder writes once it has settled on silence: whatever came before, a decoder is all but silent within
 * 20 ms.
 */
function silenceOfG722(): Buffer {
  const { encodeNarrow } = createG722Encoder();
  const packets = Array.from({ length: 50 }, () => encodeNarrow(new Int16Array(samplesPerPacket)));
  return packets.at(-1) ?? Buffer.alloc(0);
}

/** 20 ms of each. Opus's is a frame that decoders ignore, whatever came before (RFC 6716, section 3.1). */
export const silenceIn: Record<RtpCodec, Buffer> = {
  ...silence,
  G722: silenceOfG722(),
  opus: Buffer.from([0xf8, 0xff, 0xfe]),
};

export interface DecodedSound {
  ssrc: number;
  /** At G.711's clock rate, whatever the codec. */
  timestamp: number;
  /** At 8 kHz. */
  samples: Int16Array;
}

/** Decodes what arrives on one leg. Opus and G.722 are stateful: decode each packet once, in the order of arrival. */
export function createSoundDecoder() {
  let opus: Decoder | null = null;
  const g722 = createG722Decoder();
  let last: { packet: RtpPacket; read: DecodedSound | null } | null = null;
  let timeline: { ssrc: number; clockRate: number; of: (timestamp: number) => number; next: number } | null = null;

  function samplesIn(payload: Buffer, codec: RtpCodec): Int16Array | null {
    if (isG711(codec)) return decodeSound(payload, codec);
    if (payload.length === 0) return null;
    if (codec === "G722") return g722.decodeNarrow(payload);
    opus ??= new Decoder({ channels: 1, sample_rate: sampleRate });
    try {
      return new Int16Array(opus.decode(payload).buffer);
    } catch {
      return null;
    }
  }

  function timestampOf({ ssrc, timestamp }: RtpPacket, codec: RtpCodec, length: number): number {
    const clockRate = clockRates[codec];
    if (timeline?.ssrc !== ssrc || timeline.clockRate !== clockRate) {
      const to = timeline?.ssrc === ssrc ? timeline.next : timestamp;
      const of = rescaleTimestamps({ from: timestamp, to, fromRate: clockRate, toRate: sampleRate });
      timeline = { ssrc, clockRate, of, next: to };
    }
    const rescaled = timeline.of(timestamp);
    timeline.next = (rescaled + length) >>> 0;
    return rescaled;
  }

  return {
    /** Null if it holds no audio of this codec. Returns the same result when called again with the same packet. */
    read(packet: RtpPacket, codec: RtpCodec): DecodedSound | null {
      if (last?.packet === packet) return last.read;
      const samples = samplesIn(packet.payload, codec);
      const read = samples && {
        ssrc: packet.ssrc,
        timestamp: timestampOf(packet, codec, samples.length),
        samples,
      };
      last = { packet, read };
      return read;
    },
    close(): void {
      opus?.drop();
      opus = null;
    },
  };
}
export type SoundDecoder = ReturnType<typeof createSoundDecoder>;

/** Encodes what is sent on one leg. */
export function createSoundEncoder() {
  let opus: Encoder | null = null;
  const g722 = createG722Encoder();

  function openOpus(): Encoder {
    const opened = new Encoder({ channels: 1, sample_rate: sampleRate, application: "voip" });
    opened.ctl(setComplexity, complexity);
    return opened;
  }

  return {
    /** At 8 kHz. Null if this many samples aren't an Opus frame: those are 2.5, 5, 10, 20, 40 or 60 ms. */
    encode(samples: Int16Array, codec: RtpCodec): Buffer | null {
      if (isG711(codec)) return encodeSound(samples, codec);
      if (codec === "G722") return g722.encodeNarrow(samples);
      opus ??= openOpus();
      try {
        return Buffer.from(opus.encode(samples));
      } catch {
        return null;
      }
    },
    close(): void {
      opus?.drop();
      opus = null;
    },
  };
}
export type SoundEncoder = ReturnType<typeof createSoundEncoder>;

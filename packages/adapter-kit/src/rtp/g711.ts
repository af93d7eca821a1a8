/** ITU-T G.711: 8,000 samples a second, 8 bits each, in its µ-law (PCMU) and A-law (PCMA) forms. */
export type SoundCodec = "PCMU" | "PCMA";

export const sampleRate = 8_000;
/** 20 ms, the packet length that every peer accepts. */
export const samplesPerPacket = 160;

export const silence: Record<SoundCodec, Buffer> = {
  PCMU: Buffer.alloc(samplesPerPacket, 0xff),
  PCMA: Buffer.alloc(samplesPerPacket, 0xd5),
};

function muLawToLinear(code: number): number {
  const bits = ~code & 0xff;
  const magnitude = (((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4);
  return bits & 0x80 ? 0x84 - magnitude : magnitude - 0x84;
}

function aLawToLinear(code: number): number {
  const bits = code ^ 0x55;
  const segment = (bits & 0x70) >> 4;
  const step = (bits & 0x0f) << 4;
  const magnitude = segment === 0 ? step + 8 : (step + 0x108) << (segment - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

function linearToMuLaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), 32_635) + 0x84;
  const segment = Math.max(0, Math.floor(Math.log2(magnitude)) - 7);
  const mantissa = (magnitude >> (segment + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | mantissa) & 0xff;
}

function linearToALaw(sample: number): number {
  const magnitude = Math.min(sample < 0 ? -sample - 1 : sample, 32_767);
  const segment = magnitude < 256 ? 0 : Math.floor(Math.log2(magnitude)) - 7;
  const mantissa = (magnitude >> (segment === 0 ? 4 : segment + 3)) & 0x0f;
  return ((sample < 0 ? 0 : 0x80) | (segment << 4) | mantissa) ^ 0x55;
}

const linearOf: Record<SoundCodec, Int16Array> = {
  PCMU: Int16Array.from({ length: 256 }, (_, code) => muLawToLinear(code)),
  PCMA: Int16Array.from({ length: 256 }, (_, code) => aLawToLinear(code)),
};
const otherLawOf: Record<SoundCodec, Uint8Array> = {
  PCMU: Uint8Array.from(linearOf.PCMU, linearToALaw),
  PCMA: Uint8Array.from(linearOf.PCMA, linearToMuLaw),
};

export function decodeSound(payload: Buffer, codec: SoundCodec): Int16Array {
  const table = linearOf[codec];
  return Int16Array.from(payload, (code) => table[code] ?? 0);
}

export function encodeSound(samples: ArrayLike<number>, codec: SoundCodec): Buffer {
  const encode = codec === "PCMU" ? linearToMuLaw : linearToALaw;
  return Buffer.from(Array.from(samples, (sample) => encode(Math.round(sample))));
}

/** The same audio in the other law, by table; the payload itself if both laws are the same. */
export function convertSound(payload: Buffer, from: SoundCodec, to: SoundCodec): Buffer {
  if (from === to) return payload;
  const table = otherLawOf[from];
  const converted = Buffer.allocUnsafe(payload.length);
  for (let i = 0; i < payload.length; i++) converted[i] = table[payload[i] ?? 0] ?? 0;
  return converted;
}

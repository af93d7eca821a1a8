import { encodeSound, samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";

const hz = 400;
/** Longer than any echo takes. */
const remembered = 1_000;

/** A tone whose packets carry their number in their first four samples, which end-to-end PCMU leaves unchanged. */
export function createNumberedSound() {
  const tone = encodeSound(
    Array.from({ length: samplesPerPacket }, (_, i) => 8_000 * Math.sin((2 * Math.PI * hz * i) / 8_000)),
    "PCMU",
  );
  const sentAtMs = new Float64Array(remembered);
  let lastNumber = 0;

  return {
    next(): Buffer {
      tone.writeUInt32BE(++lastNumber, 0);
      sentAtMs[lastNumber % remembered] = performance.now();
      return tone;
    },
    /** Null for audio that isn't ours, such as the silence that the server sends while it receives nothing. */
    read(payload: Buffer): { number: number; sentMs: number } | null {
      const number = payload.readUInt32BE(0);
      const sentMs = sentAtMs[number % remembered];
      return sentMs === undefined || number > lastNumber || number <= lastNumber - remembered
        ? null
        : { number, sentMs };
    },
  };
}

export type NumberedSound = ReturnType<typeof createNumberedSound>;

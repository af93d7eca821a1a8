export interface WaveSound {
  sampleRate: number;
  /** One channel (several are mixed), in 16-bit full scale with fractions. */
  samples: Float64Array;
}

/** Why a file is refused, as the end of a sentence to the person who chose it. */
export class UnusableWave extends Error {
  override name = "UnusableWave";
}

const pcm = 1;
const extensible = 0xfffe;
const readers: Record<number, (bytes: Buffer, at: number) => number> = {
  // 8-bit samples are unsigned, all others signed.
  8: (bytes, at) => (bytes.readUInt8(at) - 128) * 2 ** 8,
  16: (bytes, at) => bytes.readInt16LE(at),
  24: (bytes, at) => bytes.readIntLE(at, 3) / 2 ** 8,
  32: (bytes, at) => bytes.readInt32LE(at) / 2 ** 16,
};

/** Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0", WAVE; throws UnusableWave. */
export function readWave(file: Buffer, { longestMs }: { longestMs: number }): WaveSound {
  const chunks = chunksOf(file);
  const format = chunks.get("fmt ");
  const data = chunks.get("data");
  if (!format || format.length < 16 || !data) throw new UnusableWave("The WAV file contains no audio.");
  const kind = format.readUInt16LE(0);
  const isPcm = kind === pcm || (kind === extensible && format.length >= 26 && format.readUInt16LE(24) === pcm);
  if (!isPcm) throw new UnusableWave("Its audio is compressed. Save it as uncompressed WAV (PCM, 16 bits).");
  const channels = format.readUInt16LE(2);
  if (channels !== 1 && channels !== 2) throw new UnusableWave("Save it as mono or stereo.");
  const sampleRate = format.readUInt32LE(4);
  if (sampleRate < 8_000 || sampleRate > 192_000)
    throw new UnusableWave("Save it with a sample rate of 8,000 to 192,000 Hz.");
  const bits = format.readUInt16LE(14);
  const read = readers[bits];
  if (!read) throw new UnusableWave("Save it with 8, 16, 24 or 32 bits per sample.");
  const frameBytes = (bits / 8) * channels;
  const length = Math.floor(data.length / frameBytes);
  const seconds = Math.ceil(length / sampleRate);
  if (length * 1000 > longestMs * sampleRate)
    throw new UnusableWave(`It’s ${seconds} seconds long. The limit is ${longestMs / 1000} seconds.`);
  if (length < sampleRate / 2) throw new UnusableWave("It’s shorter than half a second. Record a longer one.");
  const samples = Float64Array.from({ length }, (_, frame) => {
    const at = frame * frameBytes;
    return channels === 1 ? read(data, at) : (read(data, at) + read(data, at + bits / 8)) / 2;
  });
  return { sampleRate, samples };
}

/**
 * The first chunk of each name. A chunk that is cut off by the end of the file is used as far as it goes, because an
 * interrupted recorder leaves it so.
 */
function chunksOf(file: Buffer): Map<string, Buffer> {
  const isWave =
    file.length >= 12 && file.toString("latin1", 0, 4) === "RIFF" && file.toString("latin1", 8, 12) === "WAVE";
  if (!isWave) throw new UnusableWave("It isn’t a WAV file. Save it as WAV (PCM, 16 bits) and try again.");
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString("latin1", at, at + 4);
    const bytes = file.readUInt32LE(at + 4);
    if (!chunks.has(name)) chunks.set(name, file.subarray(at + 8, at + 8 + bytes));
    // Chunks are padded to an even length.
    at += 8 + bytes + (bytes % 2);
  }
  return chunks;
}

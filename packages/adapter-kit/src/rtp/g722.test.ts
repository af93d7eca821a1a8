import { createHash } from "node:crypto";

import { describe, expect, it } from "vitest";

import { loudness, shareAt, toneSamples } from "../conformance/tone.ts";
import { createG722Decoder, createG722Encoder } from "./g722.ts";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
/** A decoder's samples as stored in a file, least significant byte first. */
const bytesOf = (samples: Int16Array): Buffer => {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, i) => bytes.writeInt16LE(sample, i * 2));
  return bytes;
};

/** Noise that reaches every code and every limit; the same each time. */
function noise(length: number): Int16Array {
  let seed = 1;
  return Int16Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 16) - 32_768;
  });
}

describe("G.722", () => {
  // What libg722 1.2.8, which passes the recommendation's own test sequences, produces from the same noise.
  it("encodes and decodes each bit as another implementation does", () => {
    const coded = createG722Encoder().encode(noise(16_000));
    expect(sha256(coded)).toBe("6d4fe4e15d662515a3354bbb3c3fa2057ce492cc771dc0e105a2a6c817c8a908");
    expect(sha256(createG722Encoder().encodeNarrow(noise(16_000)))).toBe(
      "de1fcec7e8f00888d26c11b4e81b58420587462e21cecc6b7d1da4f9b624d333",
    );
    expect(sha256(bytesOf(createG722Decoder().decode(coded)))).toBe(
      "7abe56882451126ff292c4328f2d5dfcd597f076308b8200d27ef82e5c8ca561",
    );
    expect(sha256(bytesOf(createG722Decoder().decodeNarrow(coded)))).toBe(
      "d630c61941db479ea0a6ae5d09c8e580c9d53bb1ded910102f11980db8636d86",
    );
  });

  it("handles both bands' extremes as in the recommendation's second test sequence", () => {
    const [encoder, decoder] = [createG722Encoder(), createG722Decoder()];
    const read = Array.from({ length: 600 }, (_, i) =>
      decoder.read(encoder.write(...both(i % 2 === 0 ? -16_384 : 16_383))),
    );
    expect(read.slice(0, 4).map(({ low }) => low * 2)).toEqual([-50, 132, -376, 1_038]);
    expect(read.slice(-2).map(({ low }) => low)).toEqual([-16_384, 16_383]);
  });

  it.each([300, 1_000, 3_000, 5_000, 6_500])("carries a tone of %i Hz at its level", (hz) => {
    const tone = toneSamples(hz, { from: 0, length: 16_000, rate: 16_000 });
    const heard = createG722Decoder().decode(createG722Encoder().encode(tone)).subarray(1_600);
    expect(shareAt(hz, heard, 16_000)).toBeGreaterThan(0.98);
    expect(loudness(heard) / loudness(tone)).toBeCloseTo(1, 1);
  });

  it("carries telephone audio without its upper band, in both directions", () => {
    const tone = toneSamples(1_000, { from: 0, length: 8_000 });
    const coded = createG722Encoder().encodeNarrow(tone);
    const [narrow, wide] = [createG722Decoder().decodeNarrow(coded), createG722Decoder().decode(coded)];
    expect(shareAt(1_000, narrow.subarray(800))).toBeGreaterThan(0.98);
    expect(shareAt(1_000, wide.subarray(1_600), 16_000)).toBeGreaterThan(0.98);
    expect(loudness(narrow.subarray(800)) / loudness(tone)).toBeCloseTo(1, 1);
  });
});

const both = (sample: number): [number, number] => [sample, sample];

import { loudness, shareAt, toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { waveFile } from "@leadline/adapter-kit/wave-file";
import { describe, expect, test } from "vitest";
import { readWave, UnusableWave } from "./read-wave.ts";
import { toTelephoneSound } from "./to-telephone-sound.ts";

const longestMs = 60_000;

/** A tone at any sample rate, with an amplitude of 8,000 of 32,767. */
const tone = (hz: number, rate: number, seconds = 1): number[] =>
  Array.from({ length: rate * seconds }, (_, i) => 8_000 * Math.sin((2 * Math.PI * hz * i) / rate));

interface Wave {
  kind?: number;
  channels?: number;
  rate?: number;
  bits?: number;
  /** One value per frame, 16-bit full scale. */
  samples: readonly number[];
}

function wave({ kind = 1, channels = 1, rate = 8_000, bits = 16, samples }: Wave): Buffer {
  const format = Buffer.alloc(kind === 0xfffe ? 40 : 16);
  format.writeUInt16LE(kind, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt16LE(bits, 14);
  if (kind === 0xfffe) format.writeUInt16LE(1, 24);
  const data = Buffer.alloc((samples.length * bits) / 8);
  samples.forEach((sample, i) => {
    if (bits === 8) data.writeUInt8(Math.round(sample / 2 ** 8) + 128, i);
    else data.writeIntLE(Math.round(sample * 2 ** (bits - 16)), (i * bits) / 8, bits / 8);
  });
  const chunk = (name: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(name, 0, "latin1");
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
  };
  // Other chunks, which audio editors add before and in between.
  const chunks = [
    chunk("JUNK", Buffer.alloc(7)),
    chunk("fmt ", format),
    chunk("LIST", Buffer.alloc(5)),
    chunk("data", data),
  ];
  return chunk("RIFF", Buffer.concat([Buffer.from("WAVE"), ...chunks]));
}

describe("a WAV file as a greeting", () => {
  test.each([
    ["16 bits at a telephone's rate", { samples: tone(440, 8_000) }],
    ["8 bits", { bits: 8, samples: tone(440, 8_000) }],
    ["24 bits at 48 kHz", { bits: 24, rate: 48_000, samples: tone(440, 48_000) }],
    ["32 bits at 44.1 kHz", { bits: 32, rate: 44_100, samples: tone(440, 44_100) }],
    ["in the longer form of the head", { kind: 0xfffe, rate: 16_000, samples: tone(440, 16_000) }],
    ["stereo", { channels: 2, rate: 22_050, samples: tone(440, 22_050).flatMap((sample) => [sample, sample]) }],
  ])("%s keeps its pitch, level and length", (_, made) => {
    const heard = toTelephoneSound(readWave(wave(made), { longestMs }));
    expect(heard).toHaveLength(8_000);
    const middle = heard.subarray(400, -400);
    expect(shareAt(440, middle)).toBeGreaterThan(0.99);
    expect(loudness(middle) / loudness(toneSamples(440, { from: 0, length: 7_200 }))).toBeCloseTo(1, 1);
  });

  test("frequencies too high for telephony are removed, not aliased", () => {
    const rate = 48_000;
    const high = toTelephoneSound(readWave(wave({ rate, samples: tone(6_000, rate) }), { longestMs }));
    expect(loudness(high.subarray(400, -400))).toBeLessThan(60);
  });

  test.each([
    ["an MP3", Buffer.from("ID3 and whatever follows"), /isn’t a WAV file/],
    ["nothing", Buffer.alloc(0), /isn’t a WAV file/],
    ["a head alone", waveFile(new Int16Array(0), 8_000).subarray(0, 12), /no audio/],
    ["no samples", waveFile(new Int16Array(0), 8_000), /shorter than half a second/],
    ["compressed sound", wave({ kind: 0x55, samples: tone(440, 8_000) }), /compressed/],
    ["six channels", wave({ channels: 6, samples: tone(440, 8_000) }), /mono or stereo/],
    ["no rate", wave({ rate: 0, samples: tone(440, 8_000) }), /sample rate of/],
    ["twelve bits", wave({ bits: 12, samples: [] }), /bits per sample/],
    ["61 seconds", waveFile(new Int16Array(61 * 8_000), 8_000), /61 seconds long. The limit is 60/],
  ])("%s is refused with an explanation", (_, file, words) => {
    expect(() => readWave(file, { longestMs })).toThrow(UnusableWave);
    expect(() => readWave(file, { longestMs })).toThrow(words);
  });
});

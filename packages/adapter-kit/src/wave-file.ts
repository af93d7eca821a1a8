const headBytes = 44;
const bytesPerSample = 2;

/**
 * The header of a WAV file with 16-bit mono samples, which every browser and player supports (Microsoft and IBM,
 * "Multimedia Programming Interface and Data Specifications 1.0", WAVE).
 */
export function waveHead({ sampleCount, sampleRate }: { sampleCount: number; sampleRate: number }): Buffer {
  const dataBytes = sampleCount * bytesPerSample;
  const head = Buffer.alloc(headBytes);
  head.write("RIFF", 0);
  head.writeUInt32LE(headBytes - 8 + dataBytes, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * bytesPerSample, 28);
  head.writeUInt16LE(bytesPerSample, 32);
  head.writeUInt16LE(bytesPerSample * 8, 34);
  head.write("data", 36);
  head.writeUInt32LE(dataBytes, 40);
  return head;
}

export function waveFile(samples: Int16Array, sampleRate: number): Buffer {
  const data = Buffer.alloc(samples.length * bytesPerSample);
  for (const [at, sample] of samples.entries()) data.writeInt16LE(sample, at * bytesPerSample);
  return Buffer.concat([waveHead({ sampleCount: samples.length, sampleRate }), data]);
}

import { encodeSound, sampleRate, samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";

/** Our hold music: two slow, soft arpeggios, G major and E minor, one note every half second and a rest at each end. */
const notesHz = [
  392,
  493.88,
  587.33,
  783.99,
  587.33,
  493.88,
  null,
  null,
  329.63,
  392,
  493.88,
  659.26,
  493.88,
  392,
  null,
  null,
];
const noteSamples = sampleRate / 2;
const ringOnSamples = noteSamples * 3;
const amplitude = 2_200;

function synthesise(): Float64Array {
  const tune = new Float64Array(notesHz.length * noteSamples);
  notesHz.forEach((hz, note) => {
    if (hz === null) return;
    for (let i = 0; i < ringOnSamples; i++) {
      const seconds = i / sampleRate;
      const attack = Math.min(1, seconds / 0.03);
      const fade = Math.exp(-seconds / 0.4) * (1 - i / ringOnSamples);
      // Notes ring past the end of the loop, so that the seam is inaudible.
      const at = (note * noteSamples + i) % tune.length;
      tune[at] = (tune[at] ?? 0) + amplitude * attack * fade * Math.sin(2 * Math.PI * hz * seconds);
    }
  });
  return tune;
}

/** The hold music as µ-law packets, an 8 s loop. */
export function makeHoldTune(): Buffer[] {
  const muLaw = encodeSound(synthesise(), "PCMU");
  return Array.from({ length: muLaw.length / samplesPerPacket }, (_, i) =>
    muLaw.subarray(i * samplesPerPacket, (i + 1) * samplesPerPacket),
  );
}

import { sampleRate, samplesPerPacket, silence as silentPacket } from "@leadline/adapter-kit/rtp/g711";

import { makeHoldTune } from "../worker/hold-music.ts";

const packets = (4 * sampleRate) / samplesPerPacket;
const muLawFormat = 7;
const headBytes = 44;

let tune: Buffer | null = null;
let quiet: Buffer | null = null;

/** Longer than anyone holds. */
const repeats = 20_000;

/** As an rtpengine is asked to play it. */
export const asPlayed = (sound: keyof typeof sounds) => ({ blob: sounds[sound](), "repeat-times": repeats });

/** The first half of the music: the file goes to the rtpengine in one datagram, which holds at most 64 KB. */
const holdTune = (): Buffer => (tune ??= waveOf(Buffer.concat(makeHoldTune().slice(0, packets))));
/** Below any path's MTU, as it is sent without anyone waiting for it. */
const silence = (): Buffer => (quiet ??= waveOf(Buffer.concat(Array.from({ length: 6 }, () => silentPacket.PCMU))));

const sounds = { tune: holdTune, silence };

/** A µ-law WAV file. */
function waveOf(sound: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write("RIFF", 0);
  head.writeUInt32LE(headBytes - 8 + sound.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(muLawFormat, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(sound.length, 40);
  return Buffer.concat([head, sound]);
}

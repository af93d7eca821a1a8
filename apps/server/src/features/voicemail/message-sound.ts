import { sampleRate, samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";

/** Of a packet's 20 ms, full scale being 32,767: a line's own noise is below, a voice above. */
const quietest = 200;
/** A click of the line, or a breath, is no message. */
const leastSoundMs = 300;
const msOfPacket = (samplesPerPacket * 1000) / sampleRate;
/** So much of the silence at its end stays. */
const tailSamples = sampleRate / 2;

/** Follows a message's sound: how much of it there is, where its last word ends, and whether somebody said something. */
export function followMessageSound() {
  let samples = 0;
  let endOfSound = 0;
  let soundMs = 0;

  function isSound(frame: Int16Array): boolean {
    let energy = 0;
    for (const sample of frame) energy += sample * sample;
    return energy > frame.length * quietest * quietest;
  }

  return {
    /** Answers whether there was anything to hear in it. */
    add(part: Int16Array): boolean {
      const before = soundMs;
      for (let at = 0; at < part.length; at += samplesPerPacket) {
        const frame = part.subarray(at, at + samplesPerPacket);
        if (!isSound(frame)) continue;
        soundMs += msOfPacket;
        endOfSound = samples + at + frame.length;
      }
      samples += part.length;
      return soundMs > before;
    },
    saysSomething: (): boolean => soundMs >= leastSoundMs,
    /** Without most of the silence that its end was waited for in. */
    keptSamples: (): number => Math.min(samples, endOfSound + tailSamples),
  };
}

import { sampleRate, samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";

/** RMS of a 20 ms packet, full scale being 32,767: above line noise and below speech. */
const quietest = 200;
/** A click or a breath isn't a message. */
const minSoundMs = 300;
const msOfPacket = (samplesPerPacket * 1000) / sampleRate;
/** How much of the silence at the end is kept. */
const tailSamples = sampleRate / 2;

/** Tracks a message's audio: its length, where the last word ends, and whether anyone spoke. */
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
    /** Returns whether any of it was audible. */
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
    saysSomething: (): boolean => soundMs >= minSoundMs,
    /** Without most of the silence that ended the recording. */
    keptSamples: (): number => Math.min(samples, endOfSound + tailSamples),
  };
}

import type { AudioReading } from "../drivers/call-driver.ts";
import { type CallQuality, rateQuality } from "./rate-quality.ts";

export interface SoundJudgement {
  /** Null until enough was received. */
  quality: CallQuality | null;
  /** The microphone has delivered only silence for five seconds. */
  microphoneSilent: boolean;
  /** No packet has arrived from the far end for five seconds. */
  farEndSilent: boolean;
}

export const nothingHeard: SoundJudgement = { quality: null, microphoneSilent: false, farEndSilent: false };

const silenceMs = 5000;
/** Root mean square of full scale. A live microphone's own noise is above it; a muted headset delivers zeros. */
const silentLevel = 0.000_05;

/** Assesses the readings of one connection, oldest first. `listening`: unmuted and not on hold, all the time. */
export function judgeSound(readings: readonly AudioReading[], options: { listening: boolean }): SoundJudgement {
  const last = readings.at(-1);
  const before = readings.at(-2);
  if (!last || !before || last.packetsReceived < before.packetsReceived) return nothingHeard;
  const received = last.packetsReceived - before.packetsReceived;
  const lost = Math.max(0, last.packetsLost - before.packetsLost);
  const longAgo = readings.findLast((reading) => last.atMs - reading.atMs >= silenceMs);
  const farEndSilent = longAgo !== undefined && last.packetsReceived === longAgo.packetsReceived;
  return {
    quality:
      received === 0
        ? farEndSilent
          ? "poor"
          : null
        : rateQuality({
            roundTripMs: last.roundTripMs,
            jitterMs: last.jitterMs,
            lossRatio: lost / (received + lost),
          }),
    microphoneSilent: options.listening && longAgo !== undefined && isSilent(longAgo, last),
    farEndSilent,
  };
}

function isSilent(from: AudioReading, to: AudioReading): boolean {
  if (!from.microphone || !to.microphone) return false;
  const seconds = to.microphone.seconds - from.microphone.seconds;
  const energy = to.microphone.energy - from.microphone.energy;
  return seconds > 0 && energy >= 0 && Math.sqrt(energy / seconds) < silentLevel;
}

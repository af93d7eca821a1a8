import { decodeSound } from "@leadline/adapter-kit/rtp/g711";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";

import type { NumberedSound } from "./numbered-sound.ts";

const packetMs = 20;
/** One packet a second is listened to: enough to know speech from silence, too few to cost anything. */
const listenEach = 50;
const speechAmplitude = 500;

/** What arrives in one call, packet by packet, once it has been told to start. Echoed sound carries numbers (numbered-sound.ts). */
export function createJudge(sound: NumberedSound | null) {
  let listening = false;
  let received = 0;
  let lost = 0;
  let lostBothWays = 0;
  let lastNumber: number | null = null;
  let spokenPackets = 0;
  let jitterMs = 0;
  let last: { atMs: number; sequenceNumber: number; timestamp: number; ssrc: number } | null = null;
  const deviationsMs: number[] = [];
  const echoMs: number[] = [];

  return {
    start(): void {
      listening = true;
      last = null;
      lastNumber = null;
    },
    note({ sequenceNumber, timestamp, ssrc, payload }: RtpPacket, atMs: number): void {
      if (!listening) return;
      if (received++ % listenEach === 0 && isSpoken(payload)) spokenPackets++;
      if (last?.ssrc === ssrc) {
        const step = ((sequenceNumber - last.sequenceNumber) << 16) >> 16;
        lost += step - 1;
        deviationsMs.push(Math.abs(atMs - last.atMs - packetMs));
        const transitMs = atMs - last.atMs - ((timestamp - last.timestamp) | 0) / 8;
        jitterMs += (Math.abs(transitMs) - jitterMs) / 16;
      }
      last = { atMs, sequenceNumber, timestamp, ssrc };
      const own = sound?.read(payload);
      if (!own) return;
      const { number, sentMs } = own;
      echoMs.push(atMs - sentMs);
      if (lastNumber !== null) lostBothWays += number - lastNumber - 1;
      lastNumber = number;
    },
    /** A late packet counts as lost and, when it comes, as found again. */
    result: () => ({
      received,
      lost,
      lostThere: sound ? lostBothWays - lost : 0,
      jitterMs,
      deviationsMs,
      echoMs,
      spoken: spokenPackets > 0,
    }),
  };
}

export type Judge = ReturnType<typeof createJudge>;

function isSpoken(payload: Buffer): boolean {
  return decodeSound(payload, "PCMU").some((sample) => Math.abs(sample) > speechAmplitude);
}

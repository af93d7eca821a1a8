import { decodeSound } from "@leadline/adapter-kit/rtp/g711";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";

import type { NumberedSound } from "./numbered-audio.ts";

const packetMs = 20;
/** One packet per second is checked: enough to tell speech from silence, too few to cost anything. */
const listenEach = 50;
const speechAmplitude = 500;
/** Later than this after the earliest one, a packet is too late for any jitter buffer. */
const lateMs = 200;

/**
 * Counts what arrives in one call, packet by packet, from each start on. Echoed audio carries numbers
 * (numbered-audio.ts).
 */
export function createJudge(sound: NumberedSound | null) {
  let listening = false;
  let received = 0;
  let opened = 0;
  let lost = 0;
  let lostBothWays = 0;
  let lastNumber: number | null = null;
  let spokenPackets = 0;
  let jitterMs = 0;
  let late = 0;
  /** The last packet's delay relative to the first one, and the minimum of that. */
  let behindMs = 0;
  let earliestMs = Infinity;
  let last: { atMs: number; sequenceNumber: number; timestamp: number; ssrc: number } | null = null;
  let deviationsMs: number[] = [];
  let echoMs: number[] = [];

  function noteHeader({ sequenceNumber, timestamp, ssrc }: Omit<RtpPacket, "payload">, atMs: number): void {
    if (!listening) return;
    received++;
    if (last?.ssrc === ssrc) {
      const step = ((sequenceNumber - last.sequenceNumber) << 16) >> 16;
      lost += step - 1;
      deviationsMs.push(Math.abs(atMs - last.atMs - packetMs));
      const transitMs = atMs - last.atMs - ((timestamp - last.timestamp) | 0) / 8;
      jitterMs += (Math.abs(transitMs) - jitterMs) / 16;
      behindMs += transitMs;
    } else behindMs = 0;
    earliestMs = Math.min(earliestMs, behindMs);
    if (behindMs - earliestMs > lateMs) late++;
    last = { atMs, sequenceNumber, timestamp, ssrc };
  }

  return {
    start(): void {
      listening = true;
      last = null;
      lastNumber = null;
      [received, opened, lost, lostBothWays, spokenPackets, jitterMs, late, behindMs] = [0, 0, 0, 0, 0, 0, 0, 0];
      earliestMs = Infinity;
      [deviationsMs, echoMs] = [[], []];
    },
    /** For a packet that isn't decrypted: its header and time of arrival. */
    noteHeader,
    note(packet: RtpPacket, atMs: number): void {
      if (!listening) return;
      const { payload } = packet;
      if (opened++ % listenEach === 0 && isSpoken(payload)) spokenPackets++;
      noteHeader(packet, atMs);
      const own = sound?.read(payload);
      if (!own) return;
      const { number, sentMs } = own;
      echoMs.push(atMs - sentMs);
      if (lastNumber !== null) lostBothWays += number - lastNumber - 1;
      lastNumber = number;
    },
    /** A late packet counts as lost and, when it arrives, as recovered. */
    result: () => ({
      received,
      lost,
      late,
      lostThere: sound ? lostBothWays - lost : 0,
      jitterMs,
      deviationsMs,
      echoMs,
      spoken: opened > 0 ? spokenPackets > 0 : received > 0,
    }),
  };
}

export type Judge = ReturnType<typeof createJudge>;

function isSpoken(payload: Buffer): boolean {
  return decodeSound(payload, "PCMU").some((sample) => Math.abs(sample) > speechAmplitude);
}

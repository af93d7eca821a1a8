import { randomInt } from "node:crypto";

import { samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";

/** A pause shorter than this is jitter, and the timestamps go on as if it had not been. */
const pauseMs = 60;

/** A packet that comes by so many later than its place is lost. */
const longestReorder = 1_000;

const sequenceStep = (from: number, to: number): number => ((to - from) << 16) >> 16;

/**
 * One outgoing stream with one SSRC for the leg's whole life, whatever feeds it: packets passed on from another stream,
 * a tune, keys, silence. Sequence numbers have no gap of our making; a loss on the way in stays visible as one.
 */
export function createRtpStream() {
  const ssrc = randomInt(1, 2 ** 32);
  /** From the lower half: a wrap among the first packets, lost, would leave the other side unable to decrypt (RFC 3711, 3.3.1). */
  let lastSequence = randomInt(0, 2 ** 15);
  let lastTimestamp = randomInt(0, 2 ** 32);
  let lastSentMs: number | null = null;
  let packetsSent = 0;
  let source: { ssrc: number; first: number; sequenceOffset: number; timestampOffset: number } | null = null;

  /** Continues by one packet time, or by the time that passed where the stream paused. */
  function nextTimestamp(): { timestamp: number; marker: boolean } {
    const sinceMs = lastSentMs === null ? Infinity : performance.now() - lastSentMs;
    const paused = sinceMs > pauseMs;
    const samples = paused && Number.isFinite(sinceMs) ? Math.round(sinceMs * 8) : samplesPerPacket;
    return { timestamp: (lastTimestamp + samples) >>> 0, marker: paused };
  }

  function sent(): void {
    lastSentMs = performance.now();
    packetsSent++;
  }

  function own(payloadType: number, options: { payload: Buffer; timestamp?: number; marker?: boolean }): RtpPacket {
    const next = nextTimestamp();
    lastTimestamp = next.timestamp;
    lastSequence = (lastSequence + 1) & 0xffff;
    source = null;
    sent();
    return {
      payloadType,
      sequenceNumber: lastSequence,
      ssrc,
      timestamp: options.timestamp ?? next.timestamp,
      marker: options.marker ?? next.marker,
      payload: options.payload,
    };
  }

  /** Where this packet of another stream falls in ours; null for one older than the moment we joined that stream. */
  function place(packet: RtpPacket) {
    let joined = false;
    if (source?.ssrc !== packet.ssrc) {
      joined = true;
      source = {
        ssrc: packet.ssrc,
        first: packet.sequenceNumber,
        sequenceOffset: lastSequence + 1 - packet.sequenceNumber,
        timestampOffset: nextTimestamp().timestamp - packet.timestamp,
      };
    }
    const sinceFirst = sequenceStep(source.first, packet.sequenceNumber);
    if (sinceFirst < 0) return null;
    // It follows: sequence numbers come round each eleven minutes.
    if (sinceFirst > longestReorder) source.first = packet.sequenceNumber - longestReorder;
    return { joined, source };
  }

  return {
    packetsSent: (): number => packetsSent,
    nextTimestamp: (): number => nextTimestamp().timestamp,
    /** A packet of our own making: the next one, now. */
    own,
    /** Passes a packet on under our own numbers. */
    pass(packet: RtpPacket, as: { payloadType: number; payload: Buffer }): RtpPacket | null {
      const placed = place(packet);
      if (!placed) return null;
      const sequenceNumber = (packet.sequenceNumber + placed.source.sequenceOffset) & 0xffff;
      const timestamp = (packet.timestamp + placed.source.timestampOffset) >>> 0;
      if (sequenceStep(lastSequence, sequenceNumber) > 0) {
        lastSequence = sequenceNumber;
        lastTimestamp = timestamp;
      }
      sent();
      return { ...as, sequenceNumber, timestamp, ssrc, marker: packet.marker || placed.joined };
    },
    /** Leaves a packet out: the ones after it move up, or its place would look like a loss. */
    leaveOut(packet: RtpPacket): void {
      if (source?.ssrc === packet.ssrc) source.sequenceOffset--;
    },
    /** The next packet passed on joins the stream anew. */
    rejoin: (): void => void (source = null),
  };
}

import { sampleRate, samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";

/** The playout delay, so that packets with jitter arrive in time. */
const delaySamples = sampleRate * 0.06;
const maxAheadSamples = sampleRate * 0.3;
/** This many late packets in a row aren't jitter: the sender's clock or the path has changed. */
const maxLatePackets = 3;
const pauseTicks = 10;

/**
 * Turns one stream's packets into an even 20 ms at a time, by their timestamps; a loss is silence of the same length.
 */
export function createPlayout() {
  const window = new Int16Array(delaySamples + maxAheadSamples);
  let ssrc: number | null = null;
  /** The timestamp of the window's first sample. */
  let base = 0;
  let filled = 0;
  let latePackets = 0;
  let emptyTicks = 0;

  function begin(packet: Pick<RtpPacket, "ssrc" | "timestamp">): void {
    ssrc = packet.ssrc;
    base = (packet.timestamp - delaySamples) >>> 0;
    window.fill(0);
    filled = 0;
    latePackets = 0;
  }

  return {
    add(packet: Pick<RtpPacket, "ssrc" | "timestamp">, samples: Int16Array): void {
      if (samples.length > maxAheadSamples) return;
      const isLate = packet.ssrc === ssrc && ((packet.timestamp - base) | 0) < 0;
      latePackets = isLate ? latePackets + 1 : 0;
      const end = ((packet.timestamp - base) | 0) + samples.length;
      if (packet.ssrc !== ssrc || latePackets >= maxLatePackets || end > window.length) begin(packet);
      const at = (packet.timestamp - base) | 0;
      if (at < 0) return;
      window.set(samples, at);
      filled = Math.max(filled, at + samples.length);
    },
    /** The next 20 ms; null if nothing has arrived for a while. */
    next(): Int16Array | null {
      if (ssrc === null) return null;
      emptyTicks = filled > 0 ? 0 : emptyTicks + 1;
      if (emptyTicks > pauseTicks) ssrc = null;
      const samples = window.slice(0, samplesPerPacket);
      window.copyWithin(0, samplesPerPacket);
      window.fill(0, window.length - samplesPerPacket);
      base = (base + samplesPerPacket) >>> 0;
      filled = Math.max(0, filled - samplesPerPacket);
      return samples;
    },
  };
}

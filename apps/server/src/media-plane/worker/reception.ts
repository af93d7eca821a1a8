import type { ReportBlock } from "@leadline/adapter-kit/rtp/rtcp";
import { clockRates } from "@leadline/adapter-kit/rtp/rtp-description";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";

import type { LegStats } from "../media-plane.ts";
import { followSequence, sequenceStep } from "./follow-sequence.ts";
import type { PacketFormat } from "./packet-formats.ts";

/**
 * Counts what arrives on a leg (RFC 3550, appendices A.1, A.3 and A.8). A new SSRC, or a sequence jump, is a new
 * stream: losses add up.
 */
export function createReception() {
  const arrivalOf = followSequence();
  let ssrc: number | null = null;
  let firstSequence = 0;
  let highestSequence = 0;
  let receivedOfStream = 0;
  let lostBefore = 0;
  let packetsReceived = 0;
  let lastTransit: { ms: number; clockRate: number } | null = null;
  let jitterMs = 0;
  let lastAtMs: number | null = null;
  /** As of the last report: packets received and expected in the stream. */
  let reported = { received: 0, expected: 0 };

  const expectedOfStream = (): number => (receivedOfStream === 0 ? 0 : highestSequence - firstSequence + 1);
  const lostOfStream = (): number => Math.max(0, expectedOfStream() - receivedOfStream);

  return {
    note(packet: RtpPacket, format: PacketFormat | null): void {
      const nowMs = performance.now();
      packetsReceived++;
      lastAtMs = nowMs;
      const arrival = arrivalOf(packet);
      if (arrival === "stray") return;
      if (arrival === "begun") {
        lostBefore += lostOfStream();
        ssrc = packet.ssrc;
        reported = { received: 0, expected: 0 };
        firstSequence = packet.sequenceNumber;
        highestSequence = packet.sequenceNumber;
        receivedOfStream = 0;
        lastTransit = null;
      }
      receivedOfStream++;
      const ahead = sequenceStep(highestSequence, packet.sequenceNumber);
      if (ahead > 0) highestSequence += ahead;

      // Packets of a telephone event share a timestamp: they say nothing about jitter.
      if (!format?.codec) return;
      const { clockRate } = format;
      const ms = nowMs - (packet.timestamp / clockRate) * 1000;
      // Nor does a packet with the marker bit, which follows a silence, or the first one at another clock rate.
      if (lastTransit?.clockRate === clockRate && !packet.marker) {
        jitterMs += (Math.abs(ms - lastTransit.ms) - jitterMs) / 16;
      }
      lastTransit = { ms, clockRate };
    },
    /** The SSRC of the current stream. */
    source: (): number | null => ssrc,
    /** The report block of that stream (RFC 3550, appendix A.3); null if nothing has arrived since the last report. */
    report(): Omit<ReportBlock, "lastReport" | "sinceLastReport"> | null {
      const [received, expected] = [receivedOfStream - reported.received, expectedOfStream() - reported.expected];
      if (ssrc === null || received === 0) return null;
      reported = { received: receivedOfStream, expected: expectedOfStream() };
      const lost = Math.max(0, expected - received);
      return {
        ssrc,
        fractionLost: Math.floor((lost * 256) / Math.max(1, expected)),
        lost: lostOfStream(),
        highestSequence,
        jitter: Math.round((jitterMs * (lastTransit?.clockRate ?? clockRates.PCMU)) / 1000),
      };
    },
    stats: (packetsSent: number): LegStats => ({
      packetsReceived,
      packetsSent,
      packetsLost: lostBefore + lostOfStream(),
      jitterMs,
      sinceLastPacketMs: lastAtMs === null ? null : performance.now() - lastAtMs,
    }),
  };
}

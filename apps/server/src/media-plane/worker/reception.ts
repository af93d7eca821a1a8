import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";

import type { LegStats } from "../media-plane.ts";

/** Counts what arrives on a leg, as RFC 3550 does (appendices A.1, A.3, A.8). A new SSRC is a new stream: losses add up. */
export function createReception() {
  let ssrc: number | null = null;
  let firstSequence = 0;
  let highestSequence = 0;
  let receivedOfStream = 0;
  let lostBefore = 0;
  let packetsReceived = 0;
  let lastTransit: number | null = null;
  let jitter = 0;
  let lastAtMs: number | null = null;

  const lostOfStream = (): number =>
    ssrc === null ? 0 : Math.max(0, highestSequence - firstSequence + 1 - receivedOfStream);

  return {
    note(packet: RtpPacket): void {
      const nowMs = performance.now();
      packetsReceived++;
      if (packet.ssrc !== ssrc) {
        lostBefore += lostOfStream();
        ssrc = packet.ssrc;
        firstSequence = packet.sequenceNumber;
        highestSequence = packet.sequenceNumber;
        receivedOfStream = 0;
        lastTransit = null;
      }
      receivedOfStream++;
      const ahead = ((packet.sequenceNumber - highestSequence) << 16) >> 16;
      if (ahead > 0) highestSequence += ahead;

      // Keys share a timestamp, and a marked packet follows a silence: neither says anything of the network's jitter.
      const transit = nowMs * 8 - packet.timestamp;
      if (lastTransit !== null && packet.payload.length > 4 && !packet.marker) {
        jitter += (Math.abs(transit - lastTransit) - jitter) / 16;
      }
      if (packet.payload.length > 4) lastTransit = transit;
      lastAtMs = nowMs;
    },
    stats: (packetsSent: number): LegStats => ({
      packetsReceived,
      packetsSent,
      packetsLost: lostBefore + lostOfStream(),
      jitterMs: jitter / 8,
      sinceLastPacketMs: lastAtMs === null ? null : performance.now() - lastAtMs,
    }),
  };
}

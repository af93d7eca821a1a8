import { randomInt } from "node:crypto";

import { sampleRate } from "./g711.ts";
import type { RtpPacket } from "./rtp-packet.ts";
import { type KeyPacket, packetsOfKey, rescaleKey } from "./telephone-event.ts";
import { tickMs } from "./ticker.ts";

/**
 * One outgoing RTP stream: its own SSRC, gapless sequence numbers, timestamps that follow the audio. The caller sends
 * one packet per tick: a digit's if one is queued, otherwise audio.
 */
export function createRtpSender() {
  const ssrc = randomInt(1, 2 ** 32);
  /** In the lower half, as SRTP wants it (RFC 3711, section 3.3.1). */
  let sequenceNumber = randomInt(0, 2 ** 15);
  let timestamp = randomInt(0, 2 ** 32);
  let keyTimestamp = timestamp;
  let quiet = true;
  const keyPackets: KeyPacket[] = [];

  function next(payloadType: number, rest: Pick<RtpPacket, "payload" | "marker" | "timestamp">): RtpPacket {
    const packet = { payloadType, sequenceNumber, ssrc, ...rest };
    sequenceNumber = (sequenceNumber + 1) & 0xffff;
    return packet;
  }

  return {
    /** samples: at the stream's clock rate; for G.711, its bytes. */
    sound(payloadType: number, payload: Buffer, samples = payload.length): RtpPacket {
      const packet = next(payloadType, { payload, marker: quiet, timestamp });
      timestamp = (timestamp + samples) >>> 0;
      quiet = false;
      return packet;
    },
    queueKey(key: string): void {
      keyPackets.push(...packetsOfKey(key));
    },
    /** Null if no digit is queued. */
    key(payloadType: number, clockRate = sampleRate): RtpPacket | null {
      const packet = keyPackets.shift();
      if (!packet) return null;
      if (packet.first) keyTimestamp = timestamp;
      timestamp = (timestamp + (clockRate * tickMs) / 1000) >>> 0;
      const payload = rescaleKey(packet.payload, sampleRate, clockRate);
      return next(payloadType, { payload, marker: packet.marker, timestamp: keyTimestamp });
    },
  };
}

export type RtpSender = ReturnType<typeof createRtpSender>;

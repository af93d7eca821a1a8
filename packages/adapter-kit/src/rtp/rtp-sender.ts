import { randomInt } from "node:crypto";

import { sampleRate } from "./g711.ts";
import type { RtpPacket } from "./rtp-packet.ts";
import { type KeyPacket, packetsOfKey, rescaleKey } from "./telephone-event.ts";
import { tickMs } from "./ticker.ts";

/**
 * One outgoing RTP stream: its own SSRC, sequence numbers without a gap, timestamps that follow the sound.
 * The caller sends one packet each tick: a key's where one waits, sound otherwise.
 */
export function createRtpSender() {
  const ssrc = randomInt(1, 2 ** 32);
  /** From the lower half, as secure RTP wants it (RFC 3711, section 3.3.1). */
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
    /** samples: by the stream's clock; G.711's are its bytes. */
    sound(payloadType: number, payload: Buffer, samples = payload.length): RtpPacket {
      const packet = next(payloadType, { payload, marker: quiet, timestamp });
      timestamp = (timestamp + samples) >>> 0;
      quiet = false;
      return packet;
    },
    queueKey(key: string): void {
      keyPackets.push(...packetsOfKey(key));
    },
    /** Null where no key waits. */
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

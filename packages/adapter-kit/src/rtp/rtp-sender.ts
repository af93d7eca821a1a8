import { randomInt } from "node:crypto";

import { samplesPerPacket } from "./g711.ts";
import { writeRtpPacket } from "./rtp-packet.ts";
import { type KeyPacket, packetsOfKey } from "./telephone-event.ts";

/**
 * One outgoing RTP stream: its own SSRC, sequence numbers without a gap, timestamps that follow the sound.
 * The caller sends one packet each tick: a key's where one waits, sound otherwise.
 */
export function createRtpSender() {
  const ssrc = randomInt(1, 2 ** 32);
  let sequenceNumber = randomInt(0, 2 ** 16);
  let timestamp = randomInt(0, 2 ** 32);
  let keyTimestamp = timestamp;
  let quiet = true;
  const keyPackets: KeyPacket[] = [];

  function write(payloadType: number, options: { payload: Buffer; marker: boolean; timestamp: number }): Buffer {
    const datagram = writeRtpPacket({ payloadType, sequenceNumber, ssrc, ...options });
    sequenceNumber = (sequenceNumber + 1) & 0xffff;
    return datagram;
  }

  return {
    ssrc,
    /** Moves the clock on without a packet, as silence does; the next packet is marked as the start of sound (RFC 3551, 4.1). */
    skip(samples = samplesPerPacket): void {
      timestamp = (timestamp + samples) >>> 0;
      quiet = true;
    },
    sound(payloadType: number, payload: Buffer): Buffer {
      const datagram = write(payloadType, { payload, marker: quiet, timestamp });
      timestamp = (timestamp + payload.length) >>> 0;
      quiet = false;
      return datagram;
    },
    queueKey(key: string): void {
      keyPackets.push(...packetsOfKey(key));
    },
    hasKeys: (): boolean => keyPackets.length > 0,
    /** Null where no key waits. */
    key(payloadType: number): Buffer | null {
      const packet = keyPackets.shift();
      if (!packet) return null;
      if (packet.first) keyTimestamp = timestamp;
      timestamp = (timestamp + samplesPerPacket) >>> 0;
      return write(payloadType, { payload: packet.payload, marker: packet.marker, timestamp: keyTimestamp });
    },
  };
}

export type RtpSender = ReturnType<typeof createRtpSender>;

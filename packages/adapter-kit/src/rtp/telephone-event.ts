import { samplesPerPacket } from "./g711.ts";

/** The digits and their RFC 4733 event codes (section 3.2, table 3). */
const keys = "0123456789*#ABCD";
/**
 * 120 ms of tone, growing by the packet time; then three end packets, which with the following tick make a 60 ms gap.
 */
const tonePackets = 6;
const endPackets = 3;

export function isKey(key: string): boolean {
  return key.length === 1 && keys.includes(key);
}

function eventPayload(key: string, options: { end: boolean; duration: number }): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt8(keys.indexOf(key), 0);
  // Volume −10 dBm0, as most gateways send.
  payload.writeUInt8((options.end ? 0x80 : 0) | 10, 1);
  payload.writeUInt16BE(options.duration, 2);
  return payload;
}

/** One packet of a digit, sent in place of 20 ms of audio. All packets of a digit have its first one's timestamp. */
export interface KeyPacket {
  payload: Buffer;
  marker: boolean;
  /** True for the first one: it takes the stream's timestamp, which the others keep. */
  first: boolean;
  /** The digit, and the part of its tone; null once it has ended. */
  key: string;
  tonePart: number | null;
}

export function packetsOfKey(key: string): KeyPacket[] {
  return Array.from({ length: tonePackets + endPackets }, (_, i) => ({
    payload: eventPayload(key, {
      end: i >= tonePackets,
      duration: Math.min(i + 1, tonePackets) * samplesPerPacket,
    }),
    marker: i === 0,
    first: i === 0,
    key,
    tonePart: i < tonePackets ? i : null,
  }));
}

/**
 * The same packet at another clock rate; a duration that doesn't fit is set to the maximum (RFC 4733, section 2.3.5).
 */
export function rescaleKey(payload: Buffer, from: number, to: number): Buffer {
  if (from === to || payload.length < 4) return payload;
  const rescaled = Buffer.from(payload);
  rescaled.writeUInt16BE(Math.min(0xffff, Math.round((payload.readUInt16BE(2) * to) / from)), 2);
  return rescaled;
}

/**
 * Reports each digit once, at its first packet that arrives: losing the first or an end packet loses no digit. Packets
 * of one digit share their timestamp (RFC 4733, section 2.2), and late ones are recognised by the last few timestamps.
 */
export function createKeyListener(): (packet: { timestamp: number; payload: Buffer }) => string | null {
  const heard: number[] = [];
  return ({ timestamp, payload }) => {
    if (payload.length < 4 || heard.includes(timestamp)) return null;
    const key = keys[payload.readUInt8(0)];
    if (key === undefined) return null;
    heard.push(timestamp);
    if (heard.length > 8) heard.shift();
    return key;
  };
}

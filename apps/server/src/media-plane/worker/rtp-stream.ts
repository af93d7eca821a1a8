import { randomInt } from "node:crypto";

import { clockRates } from "@leadline/adapter-kit/rtp/rtp-description";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { tickMs } from "@leadline/adapter-kit/rtp/ticker";

import { followSequence, maxMisorder, sequenceStep } from "./follow-sequence.ts";
import { rescaleTimestamps } from "./rescale-timestamps.ts";
import type { Translation } from "./translate-packet.ts";

/** A pause shorter than this is jitter, and the timestamps continue as if it had not happened. */
const pauseMs = 60;

/** The clock rates of a packet as received and as sent. */
export interface Clocks {
  from: number;
  to: number;
}

/** The stream that is passed on. */
interface Source {
  arrivalOf: ReturnType<typeof followSequence>;
  first: number;
  sequenceOffset: number;
  clocks: Clocks;
  timestampOf: (timestamp: number) => number;
}

/**
 * All packets of a key keep its first one's timestamp as sent, even if something else was sent between them: with
 * another, they would be a second key (RFC 4733, section 2.5.1.2).
 */
function keepKeyTimestamps(): (received: number, sent: number) => number {
  let latest: { received: number; sent: number } | null = null;
  return (received, sent) => {
    if (latest?.received !== received) latest = { received, sent };
    return latest.sent;
  };
}

/**
 * One outgoing stream with one SSRC for the leg's whole life, whatever feeds it: forwarded packets, music, DTMF,
 * silence. It adds no gaps to the sequence numbers; a loss on the way in stays visible as one. When the codec's clock
 * rate changes, timestamps continue from the last one at the new rate, and so do our reports' (RFC 7160, section 4.2).
 */
export function createRtpStream() {
  const ssrc = randomInt(1, 2 ** 32);
  /**
   * In the lower half: if the first packets were lost around a wrap, the remote side couldn't decrypt (RFC 3711,
   * section 3.3.1).
   */
  let lastSequence = randomInt(0, 2 ** 15);
  let lastTimestamp = randomInt(0, 2 ** 32);
  let lastSentMs: number | null = null;
  let packetsSent = 0;
  let octetsSent = 0;
  let lastClockRate = clockRates.PCMU;
  const timestampOfKey = keepKeyTimestamps();
  let source: Source | null = null;

  /** Advances by one packet time, or by the time that has passed if the stream paused. */
  function nextTimestamp(clockRate: number): { timestamp: number; marker: boolean } {
    const sinceMs = lastSentMs === null ? Infinity : performance.now() - lastSentMs;
    const paused = sinceMs > pauseMs;
    const passedMs = paused && Number.isFinite(sinceMs) ? sinceMs : tickMs;
    const samples = Math.round((passedMs * clockRate) / 1000);
    return { timestamp: (lastTimestamp + samples) >>> 0, marker: paused };
  }

  function sent(payload: Buffer, clockRate: number): void {
    lastSentMs = performance.now();
    lastClockRate = clockRate;
    packetsSent++;
    octetsSent += payload.length;
  }

  function own(
    payloadType: number,
    options: { payload: Buffer; clockRate: number; timestamp?: number; marker?: boolean },
  ): RtpPacket {
    const next = nextTimestamp(options.clockRate);
    lastTimestamp = next.timestamp;
    lastSequence = (lastSequence + 1) & 0xffff;
    source = null;
    sent(options.payload, options.clockRate);
    return {
      payloadType,
      sequenceNumber: lastSequence,
      ssrc,
      timestamp: options.timestamp ?? next.timestamp,
      marker: options.marker ?? next.marker,
      payload: options.payload,
    };
  }

  /** The position of another stream's packet in ours; null for a stray one, and for one from before we joined. */
  function placeOf(packet: RtpPacket, clocks: Clocks) {
    const arrivalOf = source?.arrivalOf ?? followSequence();
    const arrival = arrivalOf(packet);
    if (arrival === "stray") return null;
    const joined = arrival === "begun";
    if (!source || joined) {
      const { sequenceNumber: first } = packet;
      const sequenceOffset = lastSequence + 1 - first;
      source = { arrivalOf, first, sequenceOffset, clocks, timestampOf: rescale(packet, clocks) };
    }
    if (source.clocks.from !== clocks.from || source.clocks.to !== clocks.to) {
      source.clocks = clocks;
      source.timestampOf = rescale(packet, clocks);
    }
    const sinceFirst = sequenceStep(source.first, packet.sequenceNumber);
    if (sinceFirst < 0) return null;
    // Follow the stream: sequence numbers wrap every eleven minutes.
    if (sinceFirst > maxMisorder) source.first = packet.sequenceNumber - maxMisorder;
    return { joined, source };
  }

  /** Rescales from this packet on, which is sent next. */
  function rescale({ timestamp: from }: RtpPacket, clocks: Clocks): (timestamp: number) => number {
    const to = nextTimestamp(clocks.to).timestamp;
    return rescaleTimestamps({ from, to, fromRate: clocks.from, toRate: clocks.to });
  }

  return {
    packetsSent: (): number => packetsSent,
    /** For a sender report, at the stream's current clock rate. */
    sent: () => ({
      ssrc,
      packets: packetsSent,
      octets: octetsSent,
      timestamp: lastTimestamp + Math.round(((performance.now() - (lastSentMs ?? 0)) * lastClockRate) / 1000),
    }),
    nextTimestamp: (clockRate: number): number => nextTimestamp(clockRate).timestamp,
    /** Sends a packet of our own, now, as the next one. */
    own,
    /** Passes a packet on under our own sequence number, timestamp and SSRC. */
    pass(packet: RtpPacket, as: Translation & { clocks: Clocks }): RtpPacket | null {
      const { payloadType, payload, isKey, clocks } = as;
      const place = placeOf(packet, clocks);
      if (!place) return null;
      const sequenceNumber = (packet.sequenceNumber + place.source.sequenceOffset) & 0xffff;
      const timestamp = place.source.timestampOf(packet.timestamp);
      if (sequenceStep(lastSequence, sequenceNumber) > 0) {
        lastSequence = sequenceNumber;
        lastTimestamp = timestamp;
      }
      sent(payload, clocks.to);
      const passed = { payloadType, payload, sequenceNumber, timestamp, ssrc, marker: packet.marker || place.joined };
      return isKey ? { ...passed, timestamp: timestampOfKey(packet.timestamp, timestamp) } : passed;
    },
    /** Leaves a packet out: later ones move up, since a gap would look like a loss. */
    leaveOut(packet: RtpPacket): void {
      const arrival = source?.arrivalOf(packet);
      if (arrival === "begun") source = null;
      else if (source && arrival !== "stray") source.sequenceOffset--;
    },
    /** The next forwarded packet rejoins the stream. */
    rejoin: (): void => void (source = null),
  };
}

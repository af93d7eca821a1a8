const windowPackets = 128;
const wrapsAt = 2 ** 16;

/** The highest index so far of each stream, by its SSRC. */
export type StreamCounts = Map<number, number>;

/**
 * The 48-bit index of each packet of one direction, of which the packet carries 16 bits (RFC 3711, section 3.3.1 and
 * appendix A), and replay protection (section 3.3.2). Each SSRC has its own indices. When a direction's keys change,
 * `counts` carries the indices over: a new key doesn't reset them.
 */
export function createPacketIndices(counts: StreamCounts = new Map()) {
  const streams = new Map<number, { highest: number; recent: number[] }>();

  return {
    /**
     * The index nearest to the highest so far; and, for a sender that restarts its count with each key, nearest to the
     * highest under this key.
     */
    guesses(ssrc: number, sequenceNumber: number): [number, ...number[]] {
      const goneOn = nearest(sequenceNumber, counts.get(ssrc));
      const anew = nearest(sequenceNumber, streams.get(ssrc)?.highest);
      return goneOn === anew ? [goneOn] : [goneOn, anew];
    },
    isNew(ssrc: number, index: number): boolean {
      const stream = streams.get(ssrc);
      return !stream || (index > stream.highest - windowPackets && stream.recent[index % windowPackets] !== index);
    },
    /** Call it only for an authenticated packet. */
    note(ssrc: number, index: number): void {
      const stream = streams.get(ssrc) ?? { highest: index, recent: [] };
      stream.highest = Math.max(stream.highest, index);
      stream.recent[index % windowPackets] = index;
      streams.set(ssrc, stream);
      counts.set(ssrc, stream.highest);
    },
  };
}

function nearest(sequenceNumber: number, highest: number | undefined): number {
  if (highest === undefined) return sequenceNumber;
  const index = highest + (((sequenceNumber - highest) << 16) >> 16);
  return index < 0 ? index + wrapsAt : index;
}

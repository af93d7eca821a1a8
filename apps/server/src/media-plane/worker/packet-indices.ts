const windowPackets = 128;
const wrapsAt = 2 ** 16;

/** The highest index so far of each stream, by its SSRC. */
export type StreamCounts = Map<number, number>;

/**
 * The 48-bit index of each packet of a direction, of which it carries 16 (RFC 3711, section 3.3.1 and appendix A), and
 * which of the last have come already (section 3.3.2). Indices are of the stream that an SSRC names. Where a direction's keys
 * change, `counts` goes from one key's indices to the next's: a new key sets no count back.
 */
export function createPacketIndices(counts: StreamCounts = new Map()) {
  const streams = new Map<number, { highest: number; recent: number[] }>();

  return {
    /** The one nearest to the highest so far; and, of a sender that counts each key's packets anew, to the highest by this key. */
    guesses(ssrc: number, sequenceNumber: number): [number, ...number[]] {
      const goneOn = nearest(sequenceNumber, counts.get(ssrc));
      const anew = nearest(sequenceNumber, streams.get(ssrc)?.highest);
      return goneOn === anew ? [goneOn] : [goneOn, anew];
    },
    isNew(ssrc: number, index: number): boolean {
      const stream = streams.get(ssrc);
      return !stream || (index > stream.highest - windowPackets && stream.recent[index % windowPackets] !== index);
    },
    /** Only of a packet that is known to be genuine. */
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

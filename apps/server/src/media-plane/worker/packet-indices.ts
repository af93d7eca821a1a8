const windowPackets = 128;
const wrapsAt = 2 ** 16;

/**
 * The 48-bit index of each packet of a direction, of which it carries 16 (RFC 3711, section 3.3.1 and appendix A), and
 * which of the last have come already (section 3.3.2). Indices are of the stream that an SSRC names.
 */
export function createPacketIndices() {
  const streams = new Map<number, { highest: number; recent: number[] }>();

  return {
    /** The one nearest to the highest so far. */
    of(ssrc: number, sequenceNumber: number): number {
      const stream = streams.get(ssrc);
      if (!stream) return sequenceNumber;
      const ahead = ((sequenceNumber - stream.highest) << 16) >> 16;
      const index = stream.highest + ahead;
      return index < 0 ? index + wrapsAt : index;
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
    },
  };
}

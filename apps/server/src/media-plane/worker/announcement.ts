import { samplesPerPacket, silence } from "@leadline/adapter-kit/rtp/g711";

/** What is to be played to the far end, a packet at a time; the next waits for the one before. */
export function createAnnouncements() {
  interface Announcement {
    muLaw: Buffer;
    at: number;
    settle: { resolve: () => void; reject: (error: Error) => void };
  }
  let waiting: Announcement[] = [];
  return {
    /** Resolves once its last packet is taken; rejects where it is dropped before. */
    add: (muLaw: Buffer): Promise<void> =>
      new Promise((resolve, reject) => void waiting.push({ muLaw, at: 0, settle: { resolve, reject } })),
    /** The next 20 ms, in µ-law; null where nothing is to be played. */
    next(): Buffer | null {
      const [current] = waiting;
      if (!current) return null;
      const payload = Buffer.from(silence.PCMU);
      current.muLaw.copy(payload, 0, current.at, current.at + samplesPerPacket);
      current.at += samplesPerPacket;
      if (current.at >= current.muLaw.length) {
        waiting.shift();
        current.settle.resolve();
      }
      return payload;
    },
    drop(): void {
      const dropped = waiting;
      waiting = [];
      for (const { settle } of dropped) settle.reject(new Error("The leg was closed before it had played all."));
    },
  };
}

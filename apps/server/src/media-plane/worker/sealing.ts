import { parseRtpPacket, type RtpPacket, writeRtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { type CryptoSuite, readSdesKeys, type SdesKey } from "@leadline/adapter-kit/rtp/sdes";

import { createSdesPath, type SdesPath } from "./sdes-path.ts";

/** How a leg's packets travel: in the clear until the far end's description holds a key, then only sealed. */
export function createSealing(ours: readonly SdesKey[]) {
  /** Each key's count of packets goes on for as long as the leg does, whoever opens them. */
  const outgoing = new Map<CryptoSuite, SdesPath>();
  let out: SdesPath | null = null;
  let incoming: { theirs: SdesKey; path: SdesPath } | null = null;

  function outgoingBy(suite: CryptoSuite): SdesPath {
    const known = outgoing.get(suite);
    if (known) return known;
    const key = ours.find((each) => each.suite === suite);
    if (!key) throw new Error("The far end seals by a suite that it was not offered.");
    const path = createSdesPath(key);
    outgoing.set(suite, path);
    return path;
  }

  return {
    /** Takes up the first of the description's keys; one without any is of sound in the clear. */
    agree(theirs: string): void {
      const [key] = readSdesKeys(theirs);
      if (!key && /^m=audio \d+ RTP\/SAVP /m.test(theirs)) throw new Error("The far end’s sealed line has no key.");
      out = key ? outgoingBy(key.suite) : null;
      const isKnown = key && incoming?.theirs.suite === key.suite && incoming.theirs.key.equals(key.key);
      if (!isKnown) incoming = key ? { theirs: key, path: createSdesPath(key) } : null;
    },
    seal: (packet: RtpPacket): Buffer => out?.seal(packet) ?? writeRtpPacket(packet),
    /** Null for what is not sound of this far end. */
    open: (datagram: Buffer): RtpPacket | null => (incoming ? incoming.path.open(datagram) : parseRtpPacket(datagram)),
  };
}

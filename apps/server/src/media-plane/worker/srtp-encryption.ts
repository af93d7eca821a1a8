import { parseRtpPacket, type RtpPacket, writeRtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { type CryptoSuite, readTakenKey, type SdesKey } from "@leadline/adapter-kit/rtp/sdes";

import type { StreamCounts } from "./packet-indices.ts";
import { createSdesPath, type SdesPath } from "./sdes-path.ts";

/** How many former keys of the far end we keep: a key that is sent again can't replay old packets. */
const maxKept = 8;

/** How a leg's packets travel: plain until the far end's description holds a key, then only encrypted. */
export function createSealing(ours: readonly SdesKey[]) {
  /** Each key's packet count lasts as long as the leg, whichever path decrypts. */
  const outgoing = new Map<CryptoSuite, SdesPath>();
  let out: SdesPath | null = null;
  const incoming = new Map<string, SdesPath>();
  let into: SdesPath | null = null;
  const [sent, heard]: [StreamCounts, StreamCounts] = [new Map(), new Map()];

  function outgoingBy(suite: CryptoSuite): SdesPath {
    const known = outgoing.get(suite);
    if (known) return known;
    const key = ours.find((each) => each.suite === suite);
    if (!key) throw new Error("The far end seals by a suite that it was not offered.");
    const path = createSdesPath(key, { sealed: sent });
    outgoing.set(suite, path);
    return path;
  }

  function incomingBy(key: SdesKey): SdesPath {
    const name = `${key.suite} ${key.key.toString("hex")}`;
    const path = incoming.get(name) ?? createSdesPath(key, { opened: heard });
    // Re-insert, so that the latest key is dropped last.
    incoming.delete(name);
    incoming.set(name, path);
    const [oldest] = incoming.keys();
    if (oldest !== undefined && incoming.size > maxKept) incoming.delete(oldest);
    return path;
  }

  return {
    /** Applies the first of the description's keys; without a key, the audio is plain. */
    agree(theirs: string): void {
      const key = readTakenKey(theirs);
      out = key ? outgoingBy(key.suite) : null;
      into = key ? incomingBy(key) : null;
    },
    encrypt: (packet: RtpPacket): Buffer => out?.encrypt(packet) ?? writeRtpPacket(packet),
    encryptReport: (report: Buffer): Buffer => out?.encryptReport(report) ?? report,
    /** Null if it isn't a report from this far end. */
    openReport: (datagram: Buffer): Buffer | null => (into ? into.openReport(datagram) : datagram),
    /** Null if it isn't audio from this far end. */
    open: (datagram: Buffer): RtpPacket | null => (into ? into.open(datagram) : parseRtpPacket(datagram)),
  };
}

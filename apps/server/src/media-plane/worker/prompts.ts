import { decodeSound, samplesPerPacket, silence } from "@leadline/adapter-kit/rtp/g711";

import type { Voice } from "./mixer.ts";

/** The hold music from its start, in a loop: µ-law packets. */
export function playInLoop(packets: readonly Buffer[]): Voice {
  let at = 0;
  return {
    next() {
      const packet = packets[at++ % packets.length];
      return packet ? decodeSound(packet, "PCMU") : null;
    },
  };
}

/** Plays µ-law audio once; calls `onEnd` after its last packet. */
export function playOnce(muLaw: Buffer, onEnd: () => void): Voice {
  let at = 0;
  return {
    next() {
      if (at >= muLaw.length) return null;
      const packet = Buffer.from(silence.PCMU);
      muLaw.copy(packet, 0, at, at + samplesPerPacket);
      at += samplesPerPacket;
      if (at >= muLaw.length) onEnd();
      return decodeSound(packet, "PCMU");
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";

import { readRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";

import { mayBeBehindNat } from "@leadline/adapter-kit/outbound/behind-nat";
import { atPort } from "./descriptions.ts";
import type { Learning } from "./pairs.ts";
import type { SessionState } from "./session-state.ts";

/** RFC 863. */
const discardPort = 9;

/** Long enough for an rtpengine to hear a far end that sends every 60 ms or more often. */
const search = { looks: 6, everyMs: 60 };

interface Actions {
  /** The address from which the rtpengine accepts the far end's audio now. */
  endpoint(): Promise<{ host: string; port: number } | null>;
  /** While the sender is unknown, no audio passes either way. */
  block(blocked: boolean): Promise<void>;
  inOrder(change: () => Promise<void>): Promise<void>;
  connectFarEnd(sdp: string, learning?: Learning): Promise<void>;
}

/** The address that it named is trusted until it goes silent; behind a NAT it can't be known. */
export function learningOf(farDescription: string): Learning {
  const named = readRtpDescription(farDescription);
  return named && !mayBeBehindNat(named.host) ? "off" : "heuristic";
}

/**
 * Follows the address from which an rtpengine accepts the far end's audio. rtpengine forgets the sender once another
 * port is named.
 */
export const followFarEnd = (state: SessionState, { inOrder, connectFarEnd, endpoint, block }: Actions) => ({
  /**
   * If a far end names an address that can be its own, only that address is accepted. An rtpengine accepts any sender
   * until the far end has sent something, and from then on only the described address.
   */
  shutOutStrangers: (): Promise<void> =>
    inOrder(async () => {
      const { farDescription } = state;
      if (farDescription === null || learningOf(farDescription) !== "off") return;
      await connectFarEnd(atPort(farDescription, discardPort));
      await connectFarEnd(farDescription, "off");
    }),
  /** Looks for the far end's current port, only on the host that it named. */
  lookForFarEnd: (): Promise<void> =>
    inOrder(async () => {
      const { farDescription } = state;
      const named = farDescription === null ? null : readRtpDescription(farDescription);
      if (farDescription === null || !named || learningOf(farDescription) !== "off") return;
      await block(true);
      try {
        await connectFarEnd(atPort(farDescription, discardPort));
        await connectFarEnd(farDescription, "heuristic");
        let found = named.port;
        for (let looks = 0; looks < search.looks && found === named.port; looks++) {
          await sleep(search.everyMs);
          const at = await endpoint();
          if (at?.host === named.host) found = at.port;
        }
        await connectFarEnd(atPort(farDescription, discardPort));
        state.farDescription = atPort(farDescription, found);
        await connectFarEnd(state.farDescription);
      } finally {
        await block(false);
      }
    }),
});

import { setTimeout as sleep } from "node:timers/promises";

import { readRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";

import { mayBeBehindNat } from "@leadline/adapter-kit/outbound/behind-nat";
import { atPort } from "./descriptions.ts";
import type { Learning } from "./pairs.ts";
import type { SessionState } from "./session-state.ts";

/** RFC 863. */
const discardPort = 9;

/** How long a node is given to hear a far end that sends each 60 ms at most. */
const search = { looks: 6, everyMs: 60 };

interface Ways {
  /** Where the node takes the far end's audio from now. */
  endpoint(): Promise<{ host: string; port: number } | null>;
  /** While it is not known who sends, nobody is heard or sent anything. */
  block(blocked: boolean): Promise<void>;
  inOrder(change: () => Promise<void>): Promise<void>;
  bringFarEnd(sdp: string, learning?: Learning): Promise<void>;
}

/** The address that it named is the one, until it is silent; behind a NAT that cannot be known. */
export function learningOf(farDescription: string): Learning {
  const named = readRtpDescription(farDescription);
  return named && !mayBeBehindNat(named.host) ? "off" : "heuristic";
}

/** Where a node takes the far end's audio from. It forgets whom it has heard once another port is named. */
export const followFarEnd = (state: SessionState, { inOrder, bringFarEnd, endpoint, block }: Ways) => ({
  /**
   * Of a far end that names an address which can be its own, none other is it. A node takes whoever sends for a far end that is
   * silent as yet; from then on it takes only who sends from where the description says.
   */
  shutOutStrangers: (): Promise<void> =>
    inOrder(async () => {
      const { farDescription } = state;
      if (farDescription === null || learningOf(farDescription) !== "off") return;
      await bringFarEnd(atPort(farDescription, discardPort));
      await bringFarEnd(farDescription, "off");
    }),
  /** Looks for the port that the far end sends from now, on the host that it named and no other. */
  lookForFarEnd: (): Promise<void> =>
    inOrder(async () => {
      const { farDescription } = state;
      const named = farDescription === null ? null : readRtpDescription(farDescription);
      if (farDescription === null || !named || learningOf(farDescription) !== "off") return;
      await block(true);
      try {
        await bringFarEnd(atPort(farDescription, discardPort));
        await bringFarEnd(farDescription, "heuristic");
        let found = named.port;
        for (let looks = 0; looks < search.looks && found === named.port; looks++) {
          await sleep(search.everyMs);
          const at = await endpoint();
          if (at?.host === named.host) found = at.port;
        }
        await bringFarEnd(atPort(farDescription, discardPort));
        state.farDescription = atPort(farDescription, found);
        await bringFarEnd(state.farDescription);
      } finally {
        await block(false);
      }
    }),
});

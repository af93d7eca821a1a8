import { inject } from "vitest";

import { type Peers, peersIn } from "./peers-in.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /**
     * The SIP peers' root folder, or a sentence that says why there are none; unset if no test of the run needs them.
     */
    sipPeers?: { root: string } | { problem: string };
  }
}

/** The run's peers, as found or fetched by `global-setup.ts` before the first test. */
export function findPeers(): Peers {
  const found = inject("sipPeers");
  if (found === undefined)
    throw new Error("The peers of the SIP trunk's tests are prepared by Vitest's configuration.");
  if ("problem" in found) throw new Error(found.problem);
  return peersIn(found.root);
}

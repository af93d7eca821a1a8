import type { URI } from "sip.js/lib/grammar/index.js";

import type { SipTarget } from "../transport/sip-target.ts";
import type { AgainAs, Trunk } from "../trunk.ts";
import type { Sealing } from "./choose-line.ts";
import { sealingOver } from "./sealing-over.ts";

export interface Hop {
  target: SipTarget;
  /** By which it reaches us. */
  ourAddress: string;
  sealing: Sealing;
}

/** The trunk's targets to which a way leads from here; sealing is null where no call may go there. */
export async function hopsOf(trunk: Trunk): Promise<(Omit<Hop, "sealing"> & { sealing: Sealing | null })[]> {
  const hops = (await trunk.targets.inOrder()).map(async (target) => {
    const ourAddress = await trunk.transport.ourAddress(target.address).catch(() => null);
    const sealing = sealingOver(target.protocol, trunk.settings.mediaEncryption);
    return ourAddress === null ? [] : [{ target, ourAddress, sealing }];
  });
  return (await Promise.all(hops)).flat();
}

/** Of an INVITE that follows another. */
export interface Tried {
  leastSeconds?: number;
  inTheClear?: boolean;
  as?: AgainAs;
  /** Where a redirection leads. */
  place?: { user: string; uri?: URI };
}

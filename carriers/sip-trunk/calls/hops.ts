import type { URI } from "sip.js/lib/grammar/index.js";

import type { SipTarget } from "../transport/sip-target.ts";
import type { AgainAs, Trunk } from "../trunk.ts";
import type { MediaEncryption } from "./choose-line.ts";
import { encryptionOver } from "./encryption-over.ts";

export interface Hop {
  target: SipTarget;
  /** The address at which it reaches us. */
  ourAddress: string;
  sealing: MediaEncryption;
  /** The configured server that this is an address of. */
  server: string;
  vouchedFor: boolean;
}

/**
 * The targets of the trunk, or of this one of its servers, with the route to each; sealing is null if no call is
 * allowed there.
 */
export async function hopsOf(
  trunk: Trunk,
  only?: string,
): Promise<(Omit<Hop, "sealing"> & { sealing: MediaEncryption | null })[]> {
  const hops = (await trunk.targets.inOrder()).map(async (target) => {
    const ourAddress = await trunk.transport.ourAddress(target.address).catch(() => null);
    const sealing = encryptionOver(target.protocol, trunk.settings.mediaEncryption);
    const server = trunk.targets.serverNameOf(target);
    const vouchedFor = trunk.targets.isVouchedFor(target);
    const isLeftOut = ourAddress === null || (only !== undefined && server !== only);
    return isLeftOut ? [] : [{ target, ourAddress, sealing, server, vouchedFor }];
  });
  return (await Promise.all(hops)).flat();
}

/** Of an INVITE that follows another one. */
export interface Tried {
  minSeconds?: number;
  inTheClear?: boolean;
  as?: AgainAs;
  /** The destination of a redirect. */
  place?: { user: string; uri?: URI };
}

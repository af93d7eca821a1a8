import { setTimeout as wait } from "node:timers/promises";
import type { Carrier } from "@leadline/adapter-kit/carrier";
import type { DiallingLeg } from "../../carriers/channels/dialling-carrier.ts";
import type { CallDeps } from "../call-deps.ts";
import type { OrphanedCall } from "../snapshots/call-snapshots.table.ts";

const carrierPatienceMs = 8_000;
const pauseMs = 500;

/** Retries, because the former process may still hold the carrier's port, or the network isn't up yet. */
export async function resumeLeg(
  { carriers }: Pick<CallDeps, "carriers">,
  orphan: OrphanedCall,
  request: Parameters<NonNullable<Carrier["resume"]>>[0],
): Promise<DiallingLeg> {
  const givesUpAtMs = performance.now() + carrierPatienceMs;
  for (;;) {
    const resuming = carriers.ofCall(orphan).then((found) => found?.resume?.(request) ?? null);
    const leg = await resuming.catch((error: unknown) => {
      if (performance.now() > givesUpAtMs) throw error;
    });
    if (leg === null) throw new Error("The call's carrier is not there any more.");
    if (leg) return leg;
    await wait(pauseMs);
  }
}

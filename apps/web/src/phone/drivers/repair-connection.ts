import { retryPauseMs, waitForNetwork } from "../../data/wait-for-network.ts";
import { isProblem } from "../../data/call-requests.ts";
import { healConnection } from "./heal-connection.ts";
import type { HeldConnection } from "./held-connection.ts";
import type { Connection } from "./open-connection.ts";

interface CallOnIt {
  callSid: () => string | null;
  attach: (callSid: string) => Promise<void>;
}

/** Restores the held connection after the network or the server has lost it, and the call's audio with it. */
export function createRepair(held: HeldConnection, { callSid, attach }: CallOnIt) {
  let healing: Connection | null = null;
  /** The id of a lost connection while another replaces it: reports may still use it. */
  let replacing: string | null = null;

  async function heal(): Promise<void> {
    const broken = held.get();
    if (!broken || healing === broken) return;
    healing = broken;
    held.changed("reconnecting");
    const isHeld = (): boolean => broken === held.get();
    const outcome = await healConnection(broken, () => isHeld() && (callSid() !== null || held.wantsWarm()), held.meet);
    if (healing === broken) healing = null;
    if (outcome === "gone" && isHeld()) await replace();
    else if (outcome === "healed" && isHeld()) held.changed("ready");
    else if (isHeld()) held.drop();
  }

  /** The server no longer knows our connection: opens a new one, and moves the call to it if there is one. */
  async function replace(): Promise<void> {
    const lost = held.lose();
    if (!lost) return;
    if (callSid() === null) {
      held.changed("cold");
      return held.warmUp();
    }
    replacing = lost.id;
    held.changed("reconnecting");
    const isNeeded = () => callSid() !== null && !held.get();
    for (let attempt = 0; isNeeded(); attempt += 1) {
      await waitForNetwork(retryPauseMs(attempt));
      const sid = callSid();
      if (sid === null) break;
      try {
        await attach(sid);
      } catch (error) {
        if (isProblem(error, "call-ended", "not-found")) break;
        held.meet(error);
      }
    }
    replacing = null;
    if (held.get()) return;
    held.changed("cold");
    if (held.wantsWarm()) await held.warmUp();
  }

  return {
    heal,
    replace,
    isHealing: (connection: Connection): boolean => healing === connection,
    replacing: (): string | null => replacing,
  };
}
export type Repair = ReturnType<typeof createRepair>;

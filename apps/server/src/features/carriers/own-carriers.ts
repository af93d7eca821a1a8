import type { CarrierState, CarrierTrace } from "@leadline/adapter-kit/carrier";
import type { ShownNumber } from "@leadline/adapter-kit/shown-number";
import { selectCarriers, type StoredCarrier } from "./carriers.table.ts";
import { followCarriers } from "./follow-carriers.ts";
import { type CarrierPoolOptions, openCarrierPool } from "./carrier-pool.ts";
import type { DiallingCarrier } from "./channels/dialling-carrier.ts";

/** How soon changes by other processes are followed. This process's own apply at once. */
const defaultFollowMs = 5_000;

const formerIsUsed = "The new settings take effect when its current calls end.";

export interface CarrierInUse {
  /** The carrier's kind, as stored with calls. */
  id: string;
  carrier: DiallingCarrier;
  /** Null for the installation's carrier. */
  connection: Pick<StoredCarrier, "id" | "label" | "callsPerSecond" | "channels"> | null;
}

interface Chosen {
  stored: StoredCarrier;
  /** Rejects if it can't be opened. */
  open(): Promise<CarrierInUse>;
}

export interface OwnCarriersOptions extends CarrierPoolOptions {
  followEveryMs?: number;
}

/** The carriers that organisations have connected, kept open from their first use (carrier-pool.ts). */
export function createOwnCarriers(options: OwnCarriersOptions) {
  const { database, log, followEveryMs = defaultFollowMs } = options;
  const pool = openCarrierPool(options);
  const known = new Map<string, { atMs: number; found: Promise<StoredCarrier[]> }>();
  let following: Awaited<ReturnType<typeof followCarriers>> | undefined;

  /** In their order. */
  function findInUse(organisationId: string): Promise<StoredCarrier[]> {
    const earlier = known.get(organisationId);
    if (earlier && performance.now() - earlier.atMs < followEveryMs) return earlier.found;
    const found = database.withTransaction({ organisationId }, (tx) =>
      selectCarriers(tx, { organisationId, inUse: true }),
    );
    known.set(organisationId, { atMs: performance.now(), found });
    found.catch(() => known.delete(organisationId));
    return found;
  }

  /**
   * The carrier that a new call goes to: in the organisation's order and without those tried, the first that isn't down.
   * If all are, the first that can be opened, as its state may be out of date. Null if none is in use or left.
   */
  async function choose(organisationId: string, tried: readonly string[]): Promise<Chosen | null> {
    const untried = (await findInUse(organisationId)).filter(({ id }) => !tried.includes(id));
    let down: Chosen | null = null;
    let unopened: Chosen | null = null;
    for (const stored of untried) {
      try {
        const carrier = await pool.hold(stored);
        const chosen = { stored, open: async () => ({ id: stored.kind, carrier, connection: stored }) };
        if (carrier.state?.().level !== "down") return chosen;
        down ??= chosen;
      } catch (error) {
        log.warn({ err: error, carrierId: stored.id }, "a carrier could not be opened");
        unopened ??= { stored, open: () => Promise.reject(error) };
      }
    }
    return down ?? unopened;
  }

  return {
    /** The carrier that a new call goes to (see `choose`). Null if none is in use or left. Rejects if none can be opened. */
    async inUse(organisationId: string, tried: readonly string[] = []): Promise<CarrierInUse | null> {
      return (await choose(organisationId, tried))?.open() ?? null;
    },
    /** The same, for a screen: it needn't be open. */
    async describeInUse(organisationId: string): Promise<Pick<StoredCarrier, "id" | "kind" | "label"> | null> {
      return (await choose(organisationId, []))?.stored ?? null;
    },
    /**
     * One of the organisation's carriers, in use or not, for a new call. Null if there is none. Rejects if it can't be
     * opened.
     */
    async byId(organisationId: string, carrierId: string): Promise<CarrierInUse | null> {
      const [stored] = await database.withTransaction({ organisationId }, (tx) =>
        selectCarriers(tx, { organisationId, carrierId }),
      );
      if (!stored) return null;
      return { id: stored.kind, carrier: await pool.hold(stored), connection: stored };
    },
    /** In use or not, because its calls continue. Null if it was removed. Rejects if it can't be opened. */
    async find(organisationId: string, carrierId: string): Promise<DiallingCarrier | null> {
      const [stored] = await database.withTransaction({ organisationId }, (tx) =>
        selectCarriers(tx, { organisationId, carrierId }),
      );
      return stored ? pool.hold(stored) : null;
    },
    /** The messages this process has sent and received through it. Empty if it isn't open here. */
    async traceOf(carrierId: string): Promise<CarrierTrace> {
      const carrier = await pool.find(carrierId);
      return carrier?.trace?.() ?? { messages: [], strangers: [] };
    },
    /** Null if it isn't open here or doesn't know yet. */
    async shownNumberOf(carrierId: string): Promise<ShownNumber | null> {
      const carrier = await pool.find(carrierId);
      return carrier?.shownNumber?.() ?? null;
    },
    async stateOf(stored: StoredCarrier): Promise<CarrierState> {
      try {
        const carrier = await pool.hold(stored);
        const state = carrier.state?.() ?? { level: "working", sentence: "Connected." };
        return pool.isFormer(stored) ? { level: "partly", sentence: `${state.sentence} ${formerIsUsed}` } : state;
      } catch (error) {
        log.warn({ err: error, carrierId: stored.id }, "a carrier could not be opened");
        return {
          level: "down",
          sentence: "The connection couldn’t be opened. Check its settings, especially the local port.",
        };
      }
    },
    /** Call it when the organisation's carriers have changed. Releases those removed or no longer in use. */
    async changed(organisationId: string, unused: readonly string[]): Promise<void> {
      known.delete(organisationId);
      await Promise.all(unused.map(pool.release));
    },
    /**
     * Opens all carriers at start, so that they register before the first call, and then follows other processes'
     * changes.
     */
    async openAll(): Promise<void> {
      following = await followCarriers({ database, log, pool, everyMs: followEveryMs });
    },
    async close(): Promise<void> {
      following?.stop();
      await pool.close();
    },
  };
}
export type OwnCarriers = ReturnType<typeof createOwnCarriers>;

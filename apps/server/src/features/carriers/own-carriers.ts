import type { Carrier, CarrierState, CarrierTrace } from "@leadline/adapter-kit/carrier";
import type { ShownNumber } from "@leadline/adapter-kit/shown-number";
import { selectCarriers, type StoredCarrier } from "./carriers.table.ts";
import { followCarriers } from "./follow-carriers.ts";
import { type HoldCarriers, holdCarriers } from "./hold-carriers.ts";

/** What another process has changed, or left by ending, is followed after this long; a change of this process at once. */
const usualFollowMs = 5_000;

const formerIsUsed = "The new settings take effect when its current calls end.";

export interface CarrierInUse {
  /** Its kind: what calls are written down with. */
  id: string;
  carrier: Carrier;
  /** Null: the installation's. */
  connection: Pick<StoredCarrier, "id" | "label" | "callsPerSecond" | "channels"> | null;
}

export interface OwnCarriersOptions extends HoldCarriers {
  followEveryMs?: number;
}

/** The carriers that organisations have connected, held open from their first use (hold-carriers.ts). */
export function createOwnCarriers(options: OwnCarriersOptions) {
  const { database, log, followEveryMs = usualFollowMs } = options;
  const held = holdCarriers(options);
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

  return {
    /**
     * The first carrier in the organisation's order that can be opened, without those that were tried; null if there is none in use, or
     * none left. Rejects if none can be opened.
     */
    async inUse(organisationId: string, tried: readonly string[] = []): Promise<CarrierInUse | null> {
      const untried = (await findInUse(organisationId)).filter(({ id }) => !tried.includes(id));
      let unopened: unknown;
      for (const stored of untried) {
        try {
          return { id: stored.kind, carrier: await held.hold(stored), connection: stored };
        } catch (error) {
          log.warn({ err: error, carrierId: stored.id }, "a carrier could not be opened");
          unopened = error;
        }
      }
      if (unopened !== undefined) throw unopened;
      return null;
    },
    /** One of the organisation's, in use or not, for a new call; null where there is none. Rejects where it cannot be opened. */
    async byId(organisationId: string, carrierId: string): Promise<CarrierInUse | null> {
      const [stored] = await database.withTransaction({ organisationId }, (tx) =>
        selectCarriers(tx, { organisationId, carrierId }),
      );
      if (!stored) return null;
      return { id: stored.kind, carrier: await held.hold(stored), connection: stored };
    },
    /** In use or not: calls that began through it go on. Null where it is removed. Rejects where it cannot be opened. */
    async find(organisationId: string, carrierId: string): Promise<Carrier | null> {
      const [stored] = await database.withTransaction({ organisationId }, (tx) =>
        selectCarriers(tx, { organisationId, carrierId }),
      );
      return stored ? held.hold(stored) : null;
    },
    /** What this process has sent and received through it; nothing where it isn't open here. */
    async traceOf(carrierId: string): Promise<CarrierTrace> {
      const carrier = await held.find(carrierId);
      return carrier?.trace?.() ?? { messages: [], strangers: [] };
    },
    /** Null where it isn't open here, or doesn't know yet. */
    async shownNumberOf(carrierId: string): Promise<ShownNumber | null> {
      const carrier = await held.find(carrierId);
      return carrier?.shownNumber?.() ?? null;
    },
    async stateOf(stored: StoredCarrier): Promise<CarrierState> {
      try {
        const carrier = await held.hold(stored);
        const state = carrier.state?.() ?? { level: "working", sentence: "Connected." };
        return held.isFormer(stored) ? { level: "partly", sentence: `${state.sentence} ${formerIsUsed}` } : state;
      } catch (error) {
        log.warn({ err: error, carrierId: stored.id }, "a carrier could not be opened");
        return {
          level: "down",
          sentence: "The connection couldn’t be opened. Check its settings, especially the local port.",
        };
      }
    },
    /** The organisation's carriers have changed; those that are gone or not in use are let go of. */
    async changed(organisationId: string, unused: readonly string[]): Promise<void> {
      known.delete(organisationId);
      await Promise.all(unused.map(held.letGo));
    },
    /** At start, whoever registers does so before the first call; from then on what other processes change is followed. */
    async openAll(): Promise<void> {
      following = await followCarriers({ database, log, held, everyMs: followEveryMs });
    },
    async close(): Promise<void> {
      following?.stop();
      await held.close();
    },
  };
}
export type OwnCarriers = ReturnType<typeof createOwnCarriers>;

import type { Carrier, CarrierModule, CarrierState, InboundCall } from "@leadline/adapter-kit/carrier";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import type { Sealer } from "../../seal-secrets.ts";
import { selectCarriers, type StoredCarrier } from "./carriers.table.ts";
import { countLegs } from "./count-legs.ts";
import { openSecrets } from "./read-settings.ts";

/** A change made by another process is followed after this long; one of this process at once. */
const knownForMs = 5_000;

interface Open {
  generation: number;
  opening: Promise<Carrier>;
  carrier: Carrier | null;
  retire: () => Promise<void>;
}

/**
 * The carriers that organisations have connected, held open from their first use. One whose settings have changed is opened
 * anew for the next call; the former stays until its last call is over.
 */
export function createOwnCarriers(options: {
  database: Database;
  modules: readonly CarrierModule[];
  sealer: Sealer;
  log: Log;
  onInbound: (call: InboundCall, through: Pick<StoredCarrier, "organisationId" | "kind">) => void;
}) {
  const { database, sealer, log } = options;
  const known = new Map<string, { atMs: number; found: Promise<StoredCarrier | undefined> }>();
  const opened = new Map<string, Open>();

  function findInUse(organisationId: string): Promise<StoredCarrier | undefined> {
    const earlier = known.get(organisationId);
    if (earlier && performance.now() - earlier.atMs < knownForMs) return earlier.found;
    const found = database
      .withTransaction({ organisationId }, (tx) => selectCarriers(tx, { organisationId, inUse: true }))
      .then(([one]) => one);
    known.set(organisationId, { atMs: performance.now(), found });
    found.catch(() => known.delete(organisationId));
    return found;
  }

  async function hold(stored: StoredCarrier): Promise<Carrier> {
    const earlier = opened.get(stored.id);
    if (earlier?.generation === stored.generation) return earlier.opening;
    const module = options.modules.find(({ id }) => id === stored.kind);
    if (!module) throw new Error(`This installation has no carrier ${stored.kind}.`);
    // An idle one gives its port back before the next one asks for it.
    await earlier?.retire();
    const settings = module.settings.parse({ ...stored.settings, ...openSecrets(sealer, stored) });
    const counted = countLegs(
      module.open(settings, {
        onInbound: (call) => options.onInbound(counted.countInbound(call), stored),
        onState: (state) => log.info({ carrierId: stored.id, level: state.level }, "a carrier's standing has changed"),
      }),
    );
    const open: Open = {
      generation: stored.generation,
      opening: counted.carrier,
      carrier: null,
      retire: counted.retire,
    };
    opened.set(stored.id, open);
    try {
      open.carrier = await counted.carrier;
      return open.carrier;
    } catch (error) {
      if (opened.get(stored.id) === open) opened.delete(stored.id);
      throw error;
    }
  }

  return {
    /** The carrier that the organisation's calls go to; null where it has connected none. Rejects where it cannot be opened. */
    async inUse(organisationId: string): Promise<{ id: string; carrier: Carrier } | null> {
      const stored = await findInUse(organisationId);
      return stored ? { id: stored.kind, carrier: await hold(stored) } : null;
    },
    async stateOf(stored: StoredCarrier): Promise<CarrierState> {
      try {
        const carrier = await hold(stored);
        return carrier.state?.() ?? { level: "working", sentence: "Connected." };
      } catch (error) {
        log.warn({ err: error, carrierId: stored.id }, "a carrier could not be opened");
        return {
          level: "down",
          sentence: "It could not be opened here. Check its settings, above all the local port.",
        };
      }
    },
    /** The organisation's carriers have changed; those that are gone or not in use are let go of. */
    async changed(organisationId: string, unused: readonly string[]): Promise<void> {
      known.delete(organisationId);
      await Promise.all(
        unused.map(async (id) => {
          const open = opened.get(id);
          opened.delete(id);
          await open?.retire();
        }),
      );
    },
    /** At start: whoever registers does so before the first call. */
    async openAll(): Promise<void> {
      const stored = await database.withTransaction({ system: "a carrier belongs to whoever it rings for" }, (tx) =>
        selectCarriers(tx, { inUse: true }),
      );
      for (const one of stored)
        hold(one).catch((error: unknown) =>
          log.warn({ err: error, carrierId: one.id }, "a carrier could not be opened"),
        );
    },
    async close(): Promise<void> {
      const all = [...opened.values()];
      opened.clear();
      await Promise.all(all.map(({ opening }) => opening.then((carrier) => carrier.close()).catch(() => undefined)));
    },
  };
}
export type OwnCarriers = ReturnType<typeof createOwnCarriers>;

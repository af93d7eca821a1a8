import type { Carrier, CarrierModule, CarrierState, CarrierTrace, InboundCall } from "@leadline/adapter-kit/carrier";
import type { ShownNumber } from "@leadline/adapter-kit/shown-number";
import type { Database } from "../../db/database.ts";
import type { HeldAlone } from "../../db/hold-alone.ts";
import type { Log } from "../../log.ts";
import type { Sealer } from "../../seal-secrets.ts";
import { selectCarriers, type StoredCarrier } from "./carriers.table.ts";
import { countLegs } from "./count-legs.ts";
import { claimFor } from "./identify-settings.ts";
import { openSecrets } from "./read-settings.ts";

/** What another process has changed, or left by ending, is followed after this long; a change of this process at once. */
const usualFollowMs = 5_000;
/** One that cannot be opened is tried again ever more rarely, until it is changed. */
const mostPauses = 60;

const formerIsUsed = "Its new settings are used once the calls that go through it have ended.";

interface Open {
  generation: number;
  calledHere: boolean;
  opening: Promise<Carrier>;
  retire: () => Promise<void>;
  stay: () => boolean;
}

export interface CarrierInUse {
  /** Its kind: what calls are written down with. */
  id: string;
  carrier: Carrier;
  /** Null: the installation's. */
  connection: Pick<StoredCarrier, "id" | "pricePerMinute"> | null;
}

export interface OwnCarriersOptions {
  database: Database;
  modules: readonly CarrierModule[];
  sealer: Sealer;
  heldAlone: Pick<HeldAlone, "tryHold" | "letGo">;
  log: Log;
  onInbound: (call: InboundCall, through: Pick<StoredCarrier, "organisationId" | "kind" | "id">) => void;
  followEveryMs?: number;
}

/**
 * The carriers that organisations have connected, held open from their first use. One whose settings have changed is opened
 * anew for the next call; the former stays until its last call is over. Of several processes one alone is called through it.
 */
export function createOwnCarriers(options: OwnCarriersOptions) {
  const { database, sealer, heldAlone, log, followEveryMs = usualFollowMs } = options;
  const known = new Map<string, { atMs: number; found: Promise<StoredCarrier | undefined> }>();
  const opened = new Map<string, Open>();
  const turns = new Map<string, Promise<unknown>>();
  const failed = new Map<string, { generation: number; pauses: number; againMs: number }>();
  let following: NodeJS.Timeout | undefined;
  let closed = false;

  function findInUse(organisationId: string): Promise<StoredCarrier | undefined> {
    const earlier = known.get(organisationId);
    if (earlier && performance.now() - earlier.atMs < followEveryMs) return earlier.found;
    const found = database
      .withTransaction({ organisationId }, (tx) => selectCarriers(tx, { organisationId, inUse: true }))
      .then(([one]) => one);
    known.set(organisationId, { atMs: performance.now(), found });
    found.catch(() => known.delete(organisationId));
    return found;
  }

  /** One thing at a time is done with a carrier. */
  function inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const next = (turns.get(id) ?? Promise.resolve()).then(work);
    const over = next
      .catch(() => undefined)
      .finally(() => {
        if (turns.get(id) === over) turns.delete(id);
      });
    turns.set(id, over);
    return next;
  }

  const hold = async (stored: StoredCarrier): Promise<Carrier> =>
    (await inTurn(stored.id, () => openOnce(stored))).opening;

  async function openOnce(stored: StoredCarrier): Promise<Open> {
    const module = options.modules.find(({ id }) => id === stored.kind);
    if (!module) throw new Error(`This installation has no carrier ${stored.kind}.`);
    if (closed) throw new Error("Leadline is closing.");
    const earlier = opened.get(stored.id);
    const calledHere = (await heldAlone.tryHold(stored.id)) ?? earlier?.calledHere ?? false;
    // Another process may have read what stood before.
    if (earlier && earlier.generation >= stored.generation && earlier.calledHere === calledHere) return earlier;
    // An idle one gives its port back before the next one asks for it.
    await earlier?.retire();
    const settings = module.settings.parse({ ...stored.settings, ...openSecrets(sealer, stored) });
    const listener = {
      onInbound: (call: InboundCall) => options.onInbound(counted.countInbound(call), stored),
      onState: ({ level }: CarrierState) =>
        log.info({ carrierId: stored.id, level }, "a carrier's standing has changed"),
      onDropped: (dropped: object) =>
        log.warn({ carrierId: stored.id, ...dropped }, "a message to a carrier was dropped"),
      onAudioRefused: (refused: object) =>
        log.warn({ carrierId: stored.id, ...refused }, "a far end's audio address was refused: see PRIVATE_NETWORKS"),
    };
    const counted = countLegs(
      module.open(settings, listener, { calledElsewhere: !calledHere, claim: claimFor({ database, log }, stored) }),
    );
    const { generation } = stored;
    const open: Open = { generation, calledHere, opening: counted.carrier, retire: counted.retire, stay: counted.stay };
    opened.set(stored.id, open);
    open.opening = counted.carrier.catch((error: unknown) => {
      if (opened.get(stored.id) !== open) throw error;
      opened.delete(stored.id);
      // A call still has what the new one needs, such as its port: the former carries calls until that one is over.
      if (!earlier?.stay()) throw error;
      opened.set(stored.id, earlier);
      return earlier.opening;
    });
    return open;
  }

  /** What follow does: others ask because somebody waits for it. */
  async function holdAgain(stored: StoredCarrier): Promise<void> {
    const last = failed.get(stored.id);
    if (last?.generation === stored.generation && last.againMs > performance.now()) return;
    try {
      await hold(stored);
      failed.delete(stored.id);
    } catch (error) {
      const pauses = last?.generation === stored.generation ? Math.min(last.pauses * 2, mostPauses) : 1;
      failed.set(stored.id, {
        generation: stored.generation,
        pauses,
        againMs: performance.now() + pauses * followEveryMs,
      });
      log.warn({ err: error, carrierId: stored.id }, "a carrier could not be opened");
    }
  }

  const letGo = (id: string): Promise<void> =>
    inTurn(id, async () => {
      const open = opened.get(id);
      opened.delete(id);
      await open?.retire();
      await heldAlone.letGo(id);
    });

  /** Opens what is in use and lets go of what is not, whoever changed that; takes over what an ended process had alone. */
  async function follow(): Promise<void> {
    // Before it is asked what is in use: what is opened meanwhile is.
    const openedBefore = [...opened.keys()];
    const stored = await database.withTransaction({ system: "a carrier belongs to whoever it rings for" }, (tx) =>
      selectCarriers(tx, { inUse: true }),
    );
    const used = new Set(stored.map(({ id }) => id));
    await Promise.all(openedBefore.filter((id) => !used.has(id)).map(letGo));
    for (const id of failed.keys()) if (!used.has(id)) failed.delete(id);
    for (const one of stored) void holdAgain(one);
  }

  return {
    /** The carrier that the organisation's calls go to; null where it has connected none. Rejects where it cannot be opened. */
    async inUse(organisationId: string): Promise<CarrierInUse | null> {
      const stored = await findInUse(organisationId);
      if (!stored) return null;
      const { id, kind, pricePerMinute } = stored;
      return { id: kind, carrier: await hold(stored), connection: { id, pricePerMinute } };
    },
    /** One of the organisation's, in use or not, for a new call; null where there is none. Rejects where it cannot be opened. */
    async byId(organisationId: string, carrierId: string): Promise<CarrierInUse | null> {
      const [stored] = await database.withTransaction({ organisationId }, (tx) =>
        selectCarriers(tx, { organisationId, carrierId }),
      );
      if (!stored) return null;
      const { id, kind, pricePerMinute } = stored;
      return { id: kind, carrier: await hold(stored), connection: { id, pricePerMinute } };
    },
    /** In use or not: calls that began through it go on. Null where it is removed. Rejects where it cannot be opened. */
    async find(organisationId: string, carrierId: string): Promise<Carrier | null> {
      const [stored] = await database.withTransaction({ organisationId }, (tx) =>
        selectCarriers(tx, { organisationId, carrierId }),
      );
      return stored ? hold(stored) : null;
    },
    /** What this process has sent and received through it; nothing where it isn't open here. */
    async traceOf(carrierId: string): Promise<CarrierTrace> {
      const carrier = await opened.get(carrierId)?.opening.catch(() => null);
      return carrier?.trace?.() ?? { messages: [], strangers: [] };
    },
    /** Null where it isn't open here, or doesn't know yet. */
    async shownNumberOf(carrierId: string): Promise<ShownNumber | null> {
      const carrier = await opened.get(carrierId)?.opening.catch(() => null);
      return carrier?.shownNumber?.() ?? null;
    },
    async stateOf(stored: StoredCarrier): Promise<CarrierState> {
      try {
        const carrier = await hold(stored);
        const state = carrier.state?.() ?? { level: "working", sentence: "Connected." };
        const isFormer = (opened.get(stored.id)?.generation ?? stored.generation) < stored.generation;
        return isFormer ? { level: "partly", sentence: `${state.sentence} ${formerIsUsed}` } : state;
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
      await Promise.all(unused.map(letGo));
    },
    /** At start, whoever registers does so before the first call; from then on what other processes change is followed. */
    async openAll(): Promise<void> {
      await follow();
      following = setInterval(
        () => void follow().catch((error: unknown) => log.warn({ err: error }, "carriers could not be followed")),
        followEveryMs,
      );
      following.unref();
    },
    async close(): Promise<void> {
      closed = true;
      clearInterval(following);
      // What was being opened as this began is closed too.
      await Promise.all(turns.values());
      const all = [...opened.values()];
      opened.clear();
      await Promise.all(all.map(({ opening }) => opening.then((carrier) => carrier.close()).catch(() => undefined)));
    },
  };
}
export type OwnCarriers = ReturnType<typeof createOwnCarriers>;

import type { CarrierModule, CarrierState, InboundCall } from "@leadline/adapter-kit/carrier";
import { createInOrderByKey } from "@leadline/adapter-kit/in-order";
import type { Database } from "../../db/database.ts";
import type { ExclusiveLocks } from "../../db/exclusive-locks.ts";
import type { Log } from "../../log.ts";
import type { Sealer } from "../../seal-secrets.ts";
import type { StoredCarrier } from "./carriers.table.ts";
import { countLegs } from "./count-legs.ts";
import { logMessages } from "./log-messages.ts";
import type { DiallingCarrier } from "./channels/dialling-carrier.ts";
import { claimFor } from "./identify-settings.ts";
import { openSecrets } from "./read-settings.ts";

interface Open {
  generation: number;
  calledHere: boolean;
  opening: Promise<DiallingCarrier>;
  retire: () => Promise<void>;
  stay: () => boolean;
}

export interface CarrierPoolOptions {
  database: Database;
  modules: readonly CarrierModule[];
  sealer: Sealer;
  exclusiveLocks: Pick<ExclusiveLocks, "tryHold" | "release">;
  log: Log;
  onInbound: (call: InboundCall, through: Pick<StoredCarrier, "organisationId" | "kind" | "id">) => void;
}

/**
 * The carriers that are open in this process. A carrier whose settings have changed is reopened for the next call; the
 * old instance stays until its last call ends. Only one of several processes receives calls through a carrier.
 */
export function openCarrierPool(options: CarrierPoolOptions) {
  const { database, sealer, exclusiveLocks, log } = options;
  const opened = new Map<string, Open>();
  const inOrder = createInOrderByKey();
  let closed = false;

  const hold = async (stored: StoredCarrier): Promise<DiallingCarrier> =>
    (await inOrder.run(stored.id, () => openOnce(stored))).opening;

  async function openOnce(stored: StoredCarrier): Promise<Open> {
    const module = options.modules.find(({ id }) => id === stored.kind);
    if (!module) throw new Error(`This installation has no carrier ${stored.kind}.`);
    if (closed) throw new Error("Leadline is closing.");
    const earlier = opened.get(stored.id);
    const calledHere = (await exclusiveLocks.tryHold(stored.id)) ?? earlier?.calledHere ?? false;
    // Another process may have read an older version.
    if (earlier && earlier.generation >= stored.generation && earlier.calledHere === calledHere) return earlier;
    // An idle carrier releases its port before the next one binds it.
    await earlier?.retire();
    const settings = module.settings.parse({ ...stored.settings, ...openSecrets(sealer, stored) });
    const listener = {
      onInbound: (call: InboundCall) => options.onInbound(counted.countInbound(call), stored),
      onState: ({ level }: CarrierState) => log.info({ carrierId: stored.id, level }, "a carrier's state has changed"),
      ...logMessages(log, { carrierId: stored.id }),
    };
    const counted = countLegs(
      stored.id,
      module.open(settings, listener, { calledElsewhere: !calledHere, claim: claimFor({ database, log }, stored) }),
    );
    const { generation } = stored;
    const open: Open = { generation, calledHere, opening: counted.carrier, retire: counted.retire, stay: counted.stay };
    opened.set(stored.id, open);
    open.opening = counted.carrier.catch((error: unknown) => {
      if (opened.get(stored.id) !== open) throw error;
      opened.delete(stored.id);
      // A call still uses what the new instance needs, such as its port. The old instance carries calls until that call
      // ends.
      if (!earlier?.stay()) throw error;
      opened.set(stored.id, earlier);
      return earlier.opening;
    });
    return open;
  }

  const release = (id: string): Promise<void> =>
    inOrder.run(id, async () => {
      const open = opened.get(id);
      opened.delete(id);
      await open?.retire();
      await exclusiveLocks.release(id);
    });

  return {
    /** Opens it with these settings, unless newer ones are already open. Rejects if it can't be opened. */
    hold,
    release,
    ids: (): string[] => [...opened.keys()],
    /** Null if it isn't open here. */
    find: async (id: string): Promise<DiallingCarrier | null> =>
      (await opened.get(id)?.opening.catch(() => null)) ?? null,
    /** Whether calls still go through its previous settings. */
    isFormer: ({ id, generation }: StoredCarrier): boolean => (opened.get(id)?.generation ?? generation) < generation,
    async close(): Promise<void> {
      closed = true;
      // Wait for carriers that are still being opened, and close them too.
      await inOrder.finished();
      const all = [...opened.values()];
      opened.clear();
      await Promise.all(all.map(({ opening }) => opening.then((carrier) => carrier.close()).catch(() => undefined)));
    },
  };
}
export type CarrierPool = ReturnType<typeof openCarrierPool>;

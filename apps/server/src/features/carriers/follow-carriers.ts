import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import { selectCarriers, type StoredCarrier } from "./carriers.table.ts";
import type { CarrierPool } from "./carrier-pool.ts";

/** A carrier that can't be opened is retried at growing intervals, until it is changed. */
const maxPauses = 60;

interface FollowCarriers {
  database: Database;
  log: Log;
  pool: Pick<CarrierPool, "hold" | "release" | "ids">;
  everyMs: number;
}

/** Follows what any process changes: opens and closes carriers here soon after. */
export async function followCarriers({ database, log, pool, everyMs }: FollowCarriers): Promise<{ stop(): void }> {
  const failed = new Map<string, { generation: number; pauses: number; againMs: number }>();

  async function holdAgain(stored: StoredCarrier): Promise<void> {
    const last = failed.get(stored.id);
    if (last?.generation === stored.generation && last.againMs > performance.now()) return;
    try {
      await pool.hold(stored);
      failed.delete(stored.id);
    } catch (error) {
      const pauses = last?.generation === stored.generation ? Math.min(last.pauses * 2, maxPauses) : 1;
      failed.set(stored.id, {
        generation: stored.generation,
        pauses,
        againMs: performance.now() + pauses * everyMs,
      });
      log.warn({ err: error, carrierId: stored.id }, "a carrier could not be opened");
    }
  }

  /**
   * Opens the carriers in use and releases the others, whichever process changed that. Takes over those that a dead
   * process received calls through.
   */
  async function follow(): Promise<void> {
    // Read before the query, because carriers opened meanwhile are in use too.
    const openedBefore = pool.ids();
    const stored = await database.withTransaction({ system: "a carrier may belong to any organisation" }, (tx) =>
      selectCarriers(tx, { inUse: true }),
    );
    const used = new Set(stored.map(({ id }) => id));
    await Promise.all(openedBefore.filter((id) => !used.has(id)).map(pool.release));
    for (const id of failed.keys()) if (!used.has(id)) failed.delete(id);
    for (const one of stored) void holdAgain(one);
  }

  await follow();
  const following = setInterval(
    () => void follow().catch((error: unknown) => log.warn({ err: error }, "the carriers in use could not be read")),
    everyMs,
  );
  following.unref();
  return { stop: () => clearInterval(following) };
}

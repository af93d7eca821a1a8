import { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { defineJob } from "../../jobs/define-job.ts";
import type { FileStore } from "./file-store.ts";
import { selectKnownNames } from "./files.table.ts";

const batch = 1_000;
/** An upload writes its bytes first and its row right after. */
const graceMs = 60 * 60_000;

interface SweepFiles {
  database: Database;
  store: FileStore;
  /** Returns those stored names that another feature still needs. */
  needed: readonly ((tx: Tx, storedNames: readonly string[]) => Promise<readonly string[]>)[];
}

/** Deletes files without a row: those of deleted leads and organisations, and of interrupted uploads. */
export async function sweepFiles(deps: SweepFiles, nowMs = Date.now()): Promise<void> {
  const all = await deps.store.listOlderThan(nowMs - graceMs);
  for (let start = 0; start < all.length; start += batch) {
    const some = all.slice(start, start + batch);
    const known = await deps.database.withTransaction({ system: "files of every organisation" }, async (tx) => {
      const names = new Set(await selectKnownNames(tx, some));
      for (const neededOf of deps.needed) for (const name of await neededOf(tx, some)) names.add(name);
      return names;
    });
    for (const name of some) if (!known.has(name)) await deps.store.remove(name);
  }
}

export const sweepFilesJob = (deps: SweepFiles) =>
  defineJob({ name: "sweep-files", schema: z.object({}), cron: "17 3 * * *", run: () => sweepFiles(deps) });

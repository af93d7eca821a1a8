import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { knownImportFiles } from "../lead-imports/read-lead-import.ts";
import { knownVoicemailFiles } from "../voicemail/known-voicemail-files.ts";
import type { FileStore } from "./file-store.ts";
import { selectKnownNames } from "./files.table.ts";

const batch = 1_000;
/** An upload writes its bytes first and its row right after. */
const graceMs = 60 * 60_000;

/** Removes the bytes that no row tells of any more: of deleted leads and organisations, and of uploads cut short. */
export async function sweepFiles(deps: { database: Database; store: FileStore }, nowMs = Date.now()): Promise<void> {
  const all = await deps.store.listOlderThan(nowMs - graceMs);
  for (let start = 0; start < all.length; start += batch) {
    const some = all.slice(start, start + batch);
    const known = await deps.database.withTransaction({ system: "files of every organisation" }, async (tx) => {
      const names = await selectKnownNames(tx, some);
      return new Set([...names, ...(await knownImportFiles(tx, some)), ...(await knownVoicemailFiles(tx, some))]);
    });
    for (const name of some) if (!known.has(name)) await deps.store.remove(name);
  }
}

export const sweepFilesJob = (deps: { database: Database; store: FileStore }) =>
  defineJob({ name: "sweep-files", schema: z.object({}), cron: "17 3 * * *", run: () => sweepFiles(deps) });

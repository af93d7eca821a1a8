import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { pruneAuditEntries } from "./audit-log.table.ts";

const entriesATransaction = 5_000;

/** Nightly: deletes entries older than each organisation keeps its log. */
export const pruneAuditLogJob = (database: Database) =>
  defineJob({
    name: "prune-audit-log",
    schema: z.object({}),
    cron: "20 3 * * *",
    async run() {
      const scope = { system: "expired audit entries of every organisation" };
      let pruned = entriesATransaction;
      while (pruned === entriesATransaction)
        pruned = await database.withTransaction(scope, (tx) => pruneAuditEntries(tx, entriesATransaction));
    },
  });

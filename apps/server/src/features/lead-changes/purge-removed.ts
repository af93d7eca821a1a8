import { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { holdSyncs, purgeRemovedLeads } from "../leads/removal/removed-leads.ts";
import { type ChangeKey, deleteChange, holdChange, selectOutdated } from "./lead-changes.table.ts";

/** Some may be waiting for a call to be logged, so that the others get their turn. */
const changesARound = 200;
const leadsABatch = 500;

/** Deletes leads for good once their deletion can no longer be undone. */
export const purgeRemovedJob = (database: Database) =>
  defineJob({
    name: "purge-removed-leads",
    schema: z.object({}),
    cron: "* * * * *",
    run: async () => {
      const outdated = await database.withTransaction({ system: "find deletions that are final" }, (tx) =>
        selectOutdated(tx, changesARound),
      );
      for (const key of outdated)
        while (await database.withTransaction({ organisationId: key.organisationId }, (tx) => purgeBatch(tx, key)));
    },
  });

/** Returns whether there may be more. The change is deleted with its last lead. */
export async function purgeBatch(tx: Tx, { id, organisationId }: ChangeKey): Promise<boolean> {
  // Locked, so that a concurrent undo is either first or too late.
  const held = await holdChange(tx, { id, organisationId });
  if (held === null || held.change.state === "undoing") return false;
  await holdSyncs(tx, organisationId);
  const purged = await purgeRemovedLeads(tx, { organisationId, removalId: id }, leadsABatch);
  if (purged === "all") await deleteChange(tx, { id, organisationId });
  return purged === "some";
}

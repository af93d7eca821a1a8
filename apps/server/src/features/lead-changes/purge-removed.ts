import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { purgeRemovedLeads } from "../leads/removed-leads.ts";
import { deleteChange, holdChange, selectOutdated } from "./lead-changes.table.ts";

const changesARound = 20;
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
      for (const { id, organisationId } of outdated) {
        let goesOn = true;
        while (goesOn)
          goesOn = await database.withTransaction({ organisationId }, async (tx) => {
            // Whoever undoes it at this moment comes first, or is too late.
            const held = await holdChange(tx, { id, organisationId });
            if (held === null || held.change.state === "undoing") return false;
            const purged = await purgeRemovedLeads(tx, { organisationId, removalId: id }, leadsABatch);
            if (purged === leadsABatch) return true;
            await deleteChange(tx, { id, organisationId });
            return false;
          });
      }
    },
  });

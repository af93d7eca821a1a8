import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob, type Job } from "../../jobs/define-job.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { type OrganisationHooks, removeInSlices } from "./organisation-hooks.ts";
import { deleteSomeOf, removeOrganisationRow, selectDeleted, tablesThatGrow } from "./organisations.table.ts";

interface RemoveOrganisationDeps {
  database: Database;
  hooks: readonly OrganisationHooks[];
}

const Data = z.object({ organisationId: z.uuid() });
export type RemoveOrganisationJob = Job<typeof Data>;

/** Deletes all data of an organisation that nobody belongs to any more. */
export const removeOrganisationJob = (
  deps: RemoveOrganisationDeps,
  name = "remove-organisation",
): RemoveOrganisationJob =>
  defineJob({
    name,
    schema: Data,
    retries: 12,
    async run({ organisationId }) {
      const { database, hooks } = deps;
      for (const hook of hooks) await hook.onRemoved?.(organisationId);
      for (const table of tablesThatGrow) await removeInSlices(database, deleteSomeOf(table))(organisationId);
      await database.withTransaction({ organisationId }, (tx) => removeOrganisationRow(tx, organisationId));
    },
  });

/** At start: resumes removals that failed or were left by a killed process. Two workers share them. */
export async function resumeRemovals(
  { database }: { database: Database },
  options: { jobs: Pick<Jobs, "enqueue">; job: RemoveOrganisationJob },
): Promise<void> {
  await database.withTransaction({ system: "deleted organisations" }, async (tx) => {
    for (const organisationId of await selectDeleted(tx))
      await options.jobs.enqueue(tx, options.job, { organisationId });
  });
}

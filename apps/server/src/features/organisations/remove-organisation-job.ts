import { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { defineJob, type Job } from "../../jobs/define-job.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { removeSomeCalls } from "../calls/log/remove-calls.ts";
import { removeSomeOfImports } from "../lead-imports/remove-imports.ts";
import { removeSomeLeads } from "../leads/remove-leads.ts";
import type { FileStore } from "../files/file-store.ts";
import { removeEveryMessage } from "../voicemail/drop-outdated.ts";
import { deleteSomeOf, removeOrganisationRow, selectDeleted, tablesThatGrow } from "./organisations.table.ts";

const rowsASlice = 2_000;

interface RemoveOrganisationDeps {
  database: Database;
  store: FileStore;
  removeEveryIntegration(organisationId: string): Promise<void>;
}

const Data = z.object({ organisationId: z.uuid() });
export type RemoveOrganisationJob = Job<typeof Data>;

/** All that is in an organisation which nobody belongs to any more, slice by slice: a million leads take minutes. */
export const removeOrganisationJob = (
  deps: RemoveOrganisationDeps,
  name = "remove-organisation",
): RemoveOrganisationJob =>
  defineJob({
    name,
    schema: Data,
    retries: 12,
    async run({ organisationId }) {
      await deps.removeEveryIntegration(organisationId);
      await removeEveryMessage(deps, organisationId);
      const inOrganisation = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
        deps.database.withTransaction({ organisationId }, work);
      // First the imports: one under way would add leads behind those that go.
      for (const removeSome of [
        removeSomeOfImports,
        removeSomeCalls,
        removeSomeLeads,
        ...tablesThatGrow.map(deleteSomeOf),
      ])
        while ((await inOrganisation((tx) => removeSome(tx, organisationId, rowsASlice))) > 0);
      await inOrganisation((tx) => removeOrganisationRow(tx, organisationId));
    },
  });

/** At start: removals that were given up, or that a killed process left. Of two workers each takes what the other has not. */
export async function resumeRemovals(
  { database }: { database: Database },
  options: { jobs: Pick<Jobs, "enqueue">; job: RemoveOrganisationJob },
): Promise<void> {
  await database.withTransaction({ system: "organisations that are nobody's any more" }, async (tx) => {
    for (const organisationId of await selectDeleted(tx))
      await options.jobs.enqueue(tx, options.job, { organisationId });
  });
}

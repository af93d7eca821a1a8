import { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { defineJob, type Job } from "../../jobs/define-job.ts";
import { removeSomeCalls } from "../calls/remove-calls.ts";
import { removeSomeLeads } from "../leads/remove-leads.ts";
import { removeOrganisationRow } from "./organisations.table.ts";

const rowsASlice = 2_000;

interface RemoveOrganisationDeps {
  database: Database;
  /** In its CRMs. */
  giveUpEveryAccess(organisationId: string): Promise<void>;
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
      await deps.giveUpEveryAccess(organisationId);
      const inOrganisation = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
        deps.database.withTransaction({ organisationId }, work);
      for (const removeSome of [removeSomeCalls, removeSomeLeads])
        while ((await inOrganisation((tx) => removeSome(tx, organisationId, rowsASlice))) > 0);
      await inOrganisation((tx) => removeOrganisationRow(tx, organisationId));
    },
  });

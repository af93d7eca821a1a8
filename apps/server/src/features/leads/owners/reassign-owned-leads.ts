import { CrmOwner } from "@leadline/contract/crm-owners";
import { z } from "zod";
import { asLeadline } from "../../../db/as-leadline.ts";
import type { Database } from "../../../db/database.ts";
import { defineJob, type Job } from "../../../jobs/define-job.ts";
import { readCrm } from "../crm-values.table.ts";
import { reassignOwnedLeads } from "./crm-owners.table.ts";

const leadsASlice = 2_000;

const Data = z.object({
  organisationId: z.uuid(),
  integrationId: z.uuid(),
  changedBy: z.uuid(),
  former: z.object({ owner: z.string(), mapsTo: CrmOwner.shape.mapsTo, userId: z.uuid().nullable() }),
  after: z.int().default(0),
});
export type ReassignOwnedLeadsJob = Job<typeof Data>;

/**
 * Applies the choice of an owner's member to existing leads. Each batch commits together with the order for the next
 * one.
 */
export function reassignOwnedLeadsJob(database: Database, name = "reassign-owned-leads"): ReassignOwnedLeadsJob {
  const job: ReassignOwnedLeadsJob = defineJob({
    name,
    schema: Data,
    retries: 12,
    run: (data, jobs) =>
      // Former members are only visible in the system scope.
      database.withTransaction({ system: "an owner may be a former member", by: data.organisationId }, async (tx) => {
        // Whom the CRM named is no change of the team.
        await readCrm(tx, "on");
        const reached = await asLeadline(tx, "leads.reassigned", () =>
          reassignOwnedLeads(tx, { ...data, limit: leadsASlice }),
        );
        if (reached !== null) await jobs.enqueue(tx, job, { ...data, after: reached });
      }),
  });
  return job;
}

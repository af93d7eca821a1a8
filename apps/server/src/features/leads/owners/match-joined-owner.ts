import { z } from "zod";
import { asLeadline } from "../../../db/as-leadline.ts";
import type { Database } from "../../../db/database.ts";
import type { Tx } from "../../../db/transaction.ts";
import { defineJob, type Job } from "../../../jobs/define-job.ts";
import type { Jobs } from "../../../jobs/run-jobs.ts";
import { readCrm } from "../crm-values.table.ts";
import { setJoinedOwner } from "./match-joined-owner.table.ts";

const leadsASlice = 2_000;

const Data = z.object({ organisationId: z.uuid(), userId: z.uuid(), after: z.int().default(0) });
export type MatchJoinedOwnerJob = Job<typeof Data>;

/**
 * A new member gets the leads of CRM owners who are mapped to them, by default by email. Each batch commits together
 * with the order for the next one.
 */
export function matchJoinedOwnerJob(database: Database, name = "match-joined-owner"): MatchJoinedOwnerJob {
  const job: MatchJoinedOwnerJob = defineJob({
    name,
    schema: Data,
    retries: 12,
    run: (data, jobs) =>
      database.withTransaction({ organisationId: data.organisationId }, async (tx) => {
        // Whom the CRM named is no change of the team.
        await readCrm(tx, "on");
        const reached = await asLeadline(tx, "leads.reassigned", () =>
          setJoinedOwner(tx, { ...data, limit: leadsASlice }),
        );
        if (reached !== null) await jobs.enqueue(tx, job, { ...data, after: reached });
      }),
  });
  return job;
}

export const orderMatching = (
  tx: Tx,
  { jobs, job }: { jobs: Pick<Jobs, "enqueue">; job: MatchJoinedOwnerJob },
  joined: { organisationId: string; userId: string },
): Promise<void> => jobs.enqueue(tx, job, joined);

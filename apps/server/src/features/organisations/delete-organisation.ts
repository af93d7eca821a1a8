import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { refuseDuringCallsOf } from "../calls/refuse-during-call.ts";
import { dissolve, holdAsOnlyOwner } from "../members/dissolve.ts";
import { refuseWithNumbers } from "../numbers/refuse-with-numbers.ts";
import { actElsewhere } from "../users/act-elsewhere.ts";
import { requireOrganisation } from "./find-organisation.ts";
import type { RemoveOrganisationJob } from "./remove-organisation-job.ts";

export interface DeleteOrganisationDeps {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
  removeOrganisation: RemoveOrganisationJob;
}

/** It is nobody's from now on; what is in it goes in a job. */
export async function deleteOrganisation(
  { database, jobs, removeOrganisation }: DeleteOrganisationDeps,
  key: { userId: string; organisationId: string },
): Promise<void> {
  const { organisationId } = key;
  await database.withTransaction({ userId: key.userId }, (tx) => requireOrganisation(tx, key));
  const scope = { system: "which other organisations its members have, only they themselves may see" };
  await database.withTransaction(scope, async (tx) => {
    await holdAsOnlyOwner(tx, key);
    const { balance } = await requireOrganisation(tx, key);
    if (balance !== 0) throw balanceLeft(balance);
    await refuseWithNumbers(tx, organisationId);
    // First the change, which waits for a call that is being started, then the look whether there is one.
    await actElsewhere(tx, organisationId);
    await refuseDuringCallsOf(tx, organisationId);
    await dissolve(tx, organisationId);
    await jobs.enqueue(tx, removeOrganisation, { organisationId });
  });
}

function balanceLeft(micros: number): Problem {
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(Math.abs(micros) / 1e6);
  return new Problem(
    "organisation-in-use",
    micros > 0
      ? `${dollars} is left on its balance and would be lost. Use it up, or have whoever runs this server pay it out first.`
      : `${dollars} is still owed on its balance. Settle it first.`,
  );
}

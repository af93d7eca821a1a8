import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { removeEveryCarrier } from "../carriers/remove-every-carrier.ts";
import type { OwnCarriers } from "../carriers/own-carriers.ts";
import { refuseDuringCallsOf } from "../calls/outbound/refuse-during-call.ts";
import { endEverySync } from "../integrations/end-every-sync.ts";
import { dissolve, holdAsOnlyOwner } from "../members/dissolve.ts";
import { refuseWithNumbers } from "../numbers/refuse-with-numbers.ts";
import { actElsewhere } from "../users/act-elsewhere.ts";
import { requireOrganisation } from "./find-organisation.ts";
import { markDeleted } from "./organisations.table.ts";
import type { RemoveOrganisationJob } from "./remove-organisation-job.ts";

export interface DeleteOrganisationDeps {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
  removeOrganisation: RemoveOrganisationJob;
  ownCarriers: Pick<OwnCarriers, "changed">;
}

/** It is nobody's from now on, and nobody can call it; what is in it goes in a job. */
export async function deleteOrganisation(
  { database, jobs, removeOrganisation, ownCarriers }: DeleteOrganisationDeps,
  key: { userId: string; organisationId: string },
): Promise<void> {
  const { organisationId } = key;
  await database.withTransaction({ userId: key.userId }, (tx) => requireOrganisation(tx, key));
  const scope = { system: "which other organisations its members have, only they themselves may see" };
  const carriers = await database.withTransaction(scope, async (tx) => {
    await holdAsOnlyOwner(tx, key);
    const { balance } = await requireOrganisation(tx, key);
    if (balance !== 0) throw balanceLeft(balance);
    await refuseWithNumbers(tx, organisationId);
    // First the change, which waits for a call that is being started, then the look whether there is one.
    await actElsewhere(tx, organisationId);
    await refuseDuringCallsOf(tx, organisationId);
    await dissolve(tx, organisationId);
    await endEverySync(tx, organisationId);
    await markDeleted(tx, organisationId);
    await jobs.enqueue(tx, removeOrganisation, { organisationId });
    return removeEveryCarrier(tx, organisationId);
  });
  await ownCarriers.changed(organisationId, carriers);
}

function balanceLeft(micros: number): Problem {
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(Math.abs(micros) / 1e6);
  return new Problem(
    "organisation-in-use",
    micros > 0
      ? `${dollars} is left on its balance and would be lost. Use it up, or have the administrator of this server pay it out first.`
      : `${dollars} is still owed on its balance. Settle it first.`,
  );
}

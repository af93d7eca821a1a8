import type { Database } from "../../db/database.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { requireOrganisation } from "./find-organisation.ts";
import type { OrganisationHooks } from "./organisation-hooks.ts";
import { markDeleted } from "./organisations.table.ts";
import type { RemoveOrganisationJob } from "./remove-organisation-job.ts";

export interface DeleteOrganisationDeps {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
  removeOrganisation: RemoveOrganisationJob;
  hooks: readonly OrganisationHooks[];
}

/** From now on nobody belongs to it or can call it. A job deletes its data. */
export async function deleteOrganisation(
  { database, jobs, removeOrganisation, hooks }: DeleteOrganisationDeps,
  key: { userId: string; organisationId: string },
): Promise<void> {
  const { organisationId } = key;
  await database.withTransaction({ userId: key.userId }, (tx) => requireOrganisation(tx, key));
  const scope = { system: "only members themselves may see their other organisations" };
  const afterwards = await database.withTransaction(scope, async (tx) => {
    const todo: (() => Promise<void>)[] = [];
    for (const hook of hooks) {
      const next = await hook.onDeleted?.(tx, key);
      if (next) todo.push(next);
    }
    await markDeleted(tx, organisationId);
    await jobs.enqueue(tx, removeOrganisation, { organisationId });
    return todo;
  });
  for (const next of afterwards) await next();
}

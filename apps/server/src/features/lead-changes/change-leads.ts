import { randomUUID } from "node:crypto";
import { type LeadChange, type LeadChangeInput, undoMinutes } from "@leadline/contract/lead-changes";
import { maxLeadsCounted } from "@leadline/contract/leads";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { conditionsOf } from "../leads/list/conditions-of.ts";
import { countMatching } from "../leads/list/match-leads.ts";
import { refuseOverRowQuota } from "../organisations/refuse-over-row-quota.ts";
import { requireOwner } from "../leads/owners/require-owner.ts";
import { applyAction } from "./apply-action.ts";
import type { ChangeLeadsJob } from "./change-leads-job.ts";
import { insertChange, selectOwnChanges, setProgress } from "./lead-changes.table.ts";

export interface LeadChangeDeps {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
  job: ChangeLeadsJob;
}

/** Changes the named leads at once; those that match a filter, in a job. */
export function changeLeads(
  { database, jobs, job }: LeadChangeDeps,
  caller: Member,
  { ids, matching: given, action }: LeadChangeInput,
): Promise<LeadChange> {
  const organisationId = caller.organisation.id;
  const { userId } = caller;
  const key = { id: randomUUID(), organisationId };
  return database.withTransaction({ organisationId, userId }, async (tx) => {
    if (action.kind === "owner") await requireOwner(tx, { organisationId, userId: action.ownerId });
    if (ids !== undefined) {
      await insertChange(tx, { ...key, userId, action, matching: null, total: ids.length });
      const changed = await applyAction(tx, { ...key, userId, action, leadIds: ids });
      const ends = action.kind === "delete" ? { undoMinutes } : {};
      return (await setProgress(tx, key, { state: "done", changed, ...ends })).change;
    }
    // A job can only stop when the list is full, not say why.
    if (action.kind === "do-not-call")
      await refuseOverRowQuota(tx, { organisationId, table: "do_not_call", adding: 1 });
    const { search = "", ...conditions } = { ...given, ...conditionsOf(caller, given ?? {}) };
    const total = await countMatching(tx, { organisationId, search, conditions }, maxLeadsCounted);
    const { change } = await insertChange(tx, { ...key, userId, action, matching: { search, ...conditions }, total });
    await jobs.enqueue(tx, job, key);
    return change;
  });
}

export const listLeadChanges = (database: Database, { organisation, userId }: Member): Promise<LeadChange[]> =>
  database.withTransaction({ organisationId: organisation.id, userId }, (tx) =>
    selectOwnChanges(tx, { organisationId: organisation.id, userId }),
  );

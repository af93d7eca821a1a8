import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import type { RemoveStoredFilesJob } from "../files/remove-stored-files-job.ts";
import { pauseRecords } from "../carrier-records/pause-records.ts";
import { leadNotFound, requireLead } from "../leads/get-lead.ts";
import { rememberErasedRecords } from "../leads/removal/remember-erased-records.ts";
import { confirmedIfRequired, passwordRequired } from "../users/confirm-password.ts";
import { eraseTraces, insertErasedLead } from "./erase-lead.table.ts";
import { findCreationUnderWay, findTraces, hasLiveCall } from "./find-traces.table.ts";
import { foundIfSame, searchAuditLog } from "./search-audit-log.ts";

export interface ErasureDeps {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
  removeStoredFiles: RemoveStoredFilesJob;
}

/**
 * In one transaction, which enqueues the job that removes files and messages from disk. The audit log is searched before,
 * as syncs of the organisation wait for the transaction.
 */
export async function eraseLead(
  { database, jobs, removeStoredFiles }: ErasureDeps,
  caller: Member,
  { id, currentPassword }: { id: string; currentPassword?: string | undefined },
): Promise<void> {
  const key = { id, organisationId: caller.organisation.id };
  const scope = scopeOf(caller);
  await confirmedIfRequired(database, caller, currentPassword, async (confirmed) => {
    const before = await database.withTransaction(scope, async (tx) => {
      await requireLead(tx, key);
      if (!confirmed) throw passwordRequired("erase this lead for good");
      return findTraces(tx, key, { locks: false });
    });
    const searched = await searchAuditLog(database, scope, before);
    await database.withTransaction(scope, async (tx) => {
      const traces = await findTraces(tx, key, { locks: true });
      // Another request erased it, and this one waited for that.
      if (traces.ids.length === 0) throw leadNotFound();
      if (await hasLiveCall(tx, traces))
        throw new Problem("lead-in-use", "Someone is on a call with this lead. Erase it once the call has ended.");
      const creation = await findCreationUnderWay(tx, traces);
      if (creation !== null) throw new Problem("lead-in-use", whyInCreation(creation));
      await pauseRecords(tx, key.organisationId);
      await insertErasedLead(tx, { ...key, userId: caller.userId });
      await rememberErasedRecords(tx, { organisationId: key.organisationId, leadIds: traces.ids });
      const storedNames = await eraseTraces(tx, traces, foundIfSame(traces, before, searched));
      if (storedNames.length > 0) await jobs.enqueue(tx, removeStoredFiles, { storedNames });
    });
  });
}

/** Without the lead, nobody would know the record when its CRM returns it. */
const whyInCreation = ({ label, isConnected }: { label: string; isConnected: boolean }): string =>
  isConnected
    ? `This lead is being created in “${label}”. Try again in a few minutes.`
    : `This lead may have been created in “${label}”. Connect that again or remove it, then erase the lead.`;

import { undoMinutes } from "@leadline/contract/lead-changes";
import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob, type Job } from "../../jobs/define-job.ts";
import type { Log } from "../../log.ts";
import { matchLeads } from "../leads/list/match-leads.ts";
import { showRemovedLeads } from "../leads/removal/removed-leads.ts";
import { isQuotaReached } from "../organisations/refuse-over-row-quota.ts";
import { applyAction } from "./apply-action.ts";
import { actFor, type ChangeKey, holdChange, setProgress } from "./lead-changes.table.ts";

const Data = z.object({ id: z.uuid(), organisationId: z.uuid() });
export type ChangeLeadsJob = Job<typeof Data>;

/** One transaction per batch, short enough that no call or sync waits long for its rows. */
const leadsABatch = 500;
/** After this long the job yields to others. */
const sliceMs = 5_000;
/** Consecutive failures: about two hours with the queue's delays. */
const maxFailures = 10;

/** Each batch commits with its position, so a change resumes wherever a process stopped, and does nothing twice. */
export function changeLeadsJob(database: Database, log: Log, name = "change-leads"): ChangeLeadsJob {
  const job: ChangeLeadsJob = defineJob({
    name,
    schema: Data,
    retries: 12,
    atOnce: 2,
    async run(key, jobs) {
      const endsMs = performance.now() + sliceMs;
      let hasMore = true;
      try {
        while (hasMore && performance.now() < endsMs) hasMore = await changeBatch(database, key);
      } catch (error) {
        const isFinal = isQuotaReached(error);
        if (!(await failChange(database, key, { isFinal }))) throw error;
        log[isFinal ? "warn" : "error"]({ err: error, changeId: key.id }, "a change of leads failed for good");
        return;
      }
      if (hasMore)
        await database.withTransaction({ organisationId: key.organisationId }, (tx) => jobs.enqueue(tx, job, key));
    },
  });
  return job;
}

/**
 * Counts a failure. True if the change is given up; otherwise the queue retries. Deleted leads can then be restored, or
 * the rest of them.
 */
function failChange(database: Database, key: ChangeKey, { isFinal }: { isFinal: boolean }): Promise<boolean> {
  return database.withTransaction({ organisationId: key.organisationId }, async (tx) => {
    const stored = await holdChange(tx, key);
    if (stored === null) return true;
    const { change, failures } = stored;
    const isLast = isFinal || failures + 1 >= maxFailures;
    const isOver = isLast && (change.state === "running" || change.state === "undoing");
    const state = isOver ? "failed" : change.state;
    await setProgress(tx, key, {
      state,
      changed: change.changed,
      failures: failures + 1,
      ...(isOver && { undoMinutes }),
    });
    return isOver;
  });
}

/** False if nothing is left to do. */
export function changeBatch(database: Database, key: ChangeKey, most = leadsABatch): Promise<boolean> {
  const { organisationId } = key;
  return database.withTransaction({ organisationId }, async (tx) => {
    const stored = await holdChange(tx, key);
    if (stored === null) return false;
    const { change, action, matching, userId, doneFrom } = stored;
    if (change.state === "undoing") {
      const shown = await showRemovedLeads(tx, { organisationId, removalId: key.id }, most);
      const changed = change.changed - shown;
      await setProgress(tx, key, { state: shown < most ? "undone" : "undoing", changed });
      return shown === most;
    }
    if (change.state !== "running" || matching === null) return false;
    await actFor(tx, userId);
    const { search = "", ...conditions } = matching;
    const leads = await matchLeads(tx, { organisationId, search, conditions, before: doneFrom, limit: most });
    const leadIds = leads.map(({ id }) => id);
    const changed = change.changed + (await applyAction(tx, { ...key, userId, action, leadIds }));
    const isLast = leads.length < most;
    await setProgress(tx, key, {
      state: isLast ? "done" : "running",
      changed,
      doneFrom: leads.at(-1)?.position ?? doneFrom,
      ...(isLast && action.kind === "delete" ? { undoMinutes } : {}),
    });
    return !isLast;
  });
}

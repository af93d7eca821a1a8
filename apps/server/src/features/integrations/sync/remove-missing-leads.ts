import type { Tx } from "../../../db/transaction.ts";
import { deleteLeadsByExternalId } from "../../leads/sync/upsert-leads.ts";
import { countMissing, endComparison, selectMissing } from "./comparisons.table.ts";
import { type IntegrationDeps, nameOf } from "../integration-deps.ts";
import { findIntegration } from "../integrations.table.ts";
import { publishSync } from "./publish-sync.ts";
import { addPage, failRun, type StoredRun, touchRun } from "./sync-runs.table.ts";
import { TakenByAnother, unlessTaken } from "./unless-taken.ts";

const maxAtOnce = 1_000;
/**
 * If at least this many leads and more than half of all are missing, or every lead, the account probably lost access to
 * them.
 */
const minSuspicious = 20;

/** Removes a batch of the leads that a full comparison has not seen. Returns null if another worker was first. */
export function removeMissingLeads(deps: IntegrationDeps, stored: StoredRun): Promise<StoredRun | null> {
  const { run, integrationId, organisationId, pages } = stored;
  const key = { organisationId, integrationId, runId: run.id };
  const remove = async (tx: Tx): Promise<StoredRun> => {
    // Locks the integration first, as everywhere else, to prevent deadlocks.
    const integration = await findIntegration(tx, key, { lock: true });
    if (integration === null) throw new TakenByAnother();
    const current = await touchRun(tx, run.id).then(orTaken);
    // Another account or mapping came meanwhile, so which leads were seen is forgotten: the run reads on without removing.
    if (current.comparing !== "removing") return current;
    const { leads, missing } = await countMissing(tx, key);
    const isSuspicious = missing > 0 && (missing === leads || (missing >= minSuspicious && missing * 2 > leads));
    if (isSuspicious)
      return failRun(tx, run.id, messageFor(nameOf(deps, integration), { leads, missing })).then(orTaken);
    const externalIds = await selectMissing(tx, key, maxAtOnce);
    // A lead that was read by its id meanwhile counts as seen.
    const removed = await deleteLeadsByExternalId(tx, { organisationId, integrationId, externalIds, asOf: null });
    const done = missing <= maxAtOnce;
    const counts = { total: run.total, read: 0, created: 0, updated: 0, ...removed, failed: 0, done };
    return addPage(tx, { id: run.id, pages }, counts).then(orTaken);
  };
  return unlessTaken(
    deps.database.withTransaction({ organisationId }, async (tx) => {
      const next = await remove(tx);
      if (next.run.endedAt !== null) await endComparison(tx, key);
      await publishSync(tx, next);
      return next;
    }),
  );
}

function orTaken(run: StoredRun | null): StoredRun {
  if (run === null) throw new TakenByAnother();
  return run;
}

function messageFor(name: string, { leads, missing }: { leads: number; missing: number }): string {
  return `${name} returned only ${leads - missing} of your ${leads} leads, so none were removed. Check that the connected account can still see them all.`;
}

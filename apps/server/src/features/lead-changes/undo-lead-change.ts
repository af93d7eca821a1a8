import { type LeadChange, maxChosenLeads } from "@leadline/contract/lead-changes";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { showRemovedLeads } from "../leads/removal/removed-leads.ts";
import type { LeadChangeDeps } from "./change-leads.ts";
import { holdChange, setProgress } from "./lead-changes.table.ts";

/** Undoes the caller's own deletion: a small one at once, a large one by the job. */
export function undoLeadChange(
  { database, jobs, job }: LeadChangeDeps,
  caller: Member,
  id: string,
): Promise<LeadChange> {
  const { userId, organisation } = caller;
  const key = { id, organisationId: organisation.id };
  return database.withTransaction({ organisationId: key.organisationId, userId }, async (tx) => {
    const stored = await holdChange(tx, key);
    if (stored === null || stored.userId !== userId || stored.action.kind !== "delete")
      throw new Problem("not-found", "This deletion no longer exists.");
    const { change } = stored;
    if (change.state === "undone" || change.state === "undoing") return change;
    if (change.state === "running" || stored.isUndoOver)
      throw new Problem("too-late", "This deletion can no longer be undone.");
    if (change.changed > maxChosenLeads) {
      await jobs.enqueue(tx, job, key);
      return (await setProgress(tx, key, { state: "undoing", changed: change.changed })).change;
    }
    await showRemovedLeads(tx, { organisationId: key.organisationId, removalId: id }, maxChosenLeads);
    return (await setProgress(tx, key, { state: "undone", changed: 0 })).change;
  });
}

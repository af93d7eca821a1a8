import { randomUUID } from "node:crypto";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { leadNotFound } from "../leads/get-lead.ts";
import { holdSyncs } from "../leads/removal/removed-leads.ts";
import { applyAction } from "./apply-action.ts";
import { insertChange, setProgress } from "./lead-changes.table.ts";
import { purgeBatch } from "./purge-removed.ts";

/**
 * Deletes a lead permanently, with its notes and files. Its calls stay in the log, and the next sweep deletes the
 * files' contents. A lead whose call isn't logged in its CRM yet is hidden until then.
 */
export function deleteLead(database: Database, { organisation, userId }: Member, leadId: string): Promise<void> {
  const organisationId = organisation.id;
  const key = { id: randomUUID(), organisationId };
  return database.withTransaction({ organisationId, userId }, async (tx) => {
    await holdSyncs(tx, organisationId);
    const action = { kind: "delete" } as const;
    await insertChange(tx, { ...key, userId, action, matching: null, total: 1 });
    const changed = await applyAction(tx, { ...key, userId, action, leadIds: [leadId] });
    if (changed === 0) throw leadNotFound();
    await setProgress(tx, key, { state: "done", changed, undoMinutes: 0 });
    await purgeBatch(tx, key);
  });
}

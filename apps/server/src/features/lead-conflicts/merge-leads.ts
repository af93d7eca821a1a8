import { randomUUID } from "node:crypto";
import type { LeadMerge } from "@leadline/contract/lead-conflicts";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member } from "../../http/route.ts";
import { selectCallsJustQueued, selectCallsToSort, unsortMovedCalls } from "./calls-to-sort.table.ts";
import {
  emptyFilled,
  fillGaps,
  hideMerged,
  holdLeads,
  insertMerge,
  moveBack,
  moveBelongings,
  selectMerges,
  showMerged,
  takeMerge,
} from "./merges.table.ts";

const maxListed = 50;

interface MergeLeads {
  keepId: string;
  otherIds: readonly string[];
}

/** The other leads stay in the database, hidden, with their CRM ids: a sync finds them there and adds none. */
export function mergeLeads(database: Database, caller: Member, { keepId, otherIds }: MergeLeads): Promise<LeadMerge> {
  const { userId, organisation } = caller;
  const merge = { id: randomUUID(), organisationId: organisation.id, keptId: keepId };
  const others = [...new Set(otherIds)];
  if (others.includes(keepId))
    throw invalidInput([{ path: ["otherIds"], message: "A lead can’t be merged into itself." }]);
  return database.withTransaction({ organisationId: merge.organisationId, userId }, async (tx) => {
    const held = await holdLeads(tx, merge.organisationId, [keepId, ...others]);
    if (held.length <= others.length) throw new Problem("not-found", "One of these leads no longer exists.");
    const ofCrm = new Set(held.flatMap((lead) => (lead.integration_id === null ? [] : [lead.id])));
    if (ofCrm.size > 0 && !ofCrm.has(keepId))
      throw invalidInput([
        { path: ["keepId"], message: "Keep a lead that comes from a CRM, so that its calls are still logged there." },
      ]);
    const sorted = await selectCallsToSort(tx, merge, others);
    const moved = await moveBelongings(tx, merge, others);
    const filled = await fillGaps(tx, merge, others);
    moved.sorted = [...sorted, ...(await selectCallsJustQueued(tx, merge, moved))];
    await insertMerge(tx, { ...merge, userId, merged: others.length, moved, filled });
    // A trigger decides again about the calls that waited for a choice.
    await hideMerged(tx, merge, others);
    const [listed] = await selectMerges(tx, { ...merge, limit: 1 });
    if (!listed) throw new Error("a merge is not there right after it");
    return listed;
  });
}

/** Whatever was added to the kept lead since the merge stays with it. */
export async function undoLeadMerge(database: Database, { organisation, userId }: Member, id: string): Promise<void> {
  const organisationId = organisation.id;
  await database.withTransaction({ organisationId, userId }, async (tx) => {
    const taken = await takeMerge(tx, { id, organisationId });
    if (taken === null) throw new Problem("not-found", "This merge can no longer be undone.");
    const merge = { id, organisationId, keptId: taken.keptId };
    await moveBack(tx, merge, taken.moved);
    await emptyFilled(tx, merge, taken.filled);
    await showMerged(tx, merge);
    await unsortMovedCalls(tx, merge, taken.moved.sorted ?? []);
  });
}

export const listLeadMerges = (database: Database, { organisation, userId }: Member): Promise<LeadMerge[]> =>
  database.withTransaction({ organisationId: organisation.id, userId }, (tx) =>
    selectMerges(tx, { organisationId: organisation.id, limit: maxListed }),
  );

import { type LeadView, type LeadViewInput, maxLeadViews } from "@leadline/contract/lead-views";
import { isAdmin } from "@leadline/contract/organisations";
import type { z } from "zod";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { requireMember } from "../leads/owners/require-owner.ts";
import { deleteView, lockLeadViews, selectLeadViews, upsertLeadView } from "./lead-views.table.ts";

const viewerOf = ({ userId, organisation }: Member) => ({ userId, organisationId: organisation.id });

export const listLeadViews = (database: Database, caller: Member): Promise<LeadView[]> =>
  database.withTransaction(viewerOf(caller), (tx) => selectLeadViews(tx, viewerOf(caller)));

/** Replaces the caller's own view with the same name. */
export function saveLeadView(
  database: Database,
  caller: Member,
  view: z.output<typeof LeadViewInput>,
): Promise<LeadView> {
  const viewer = viewerOf(caller);
  return database.withTransaction(viewer, async (tx) => {
    const { owner, followUpOwner } = view.filter;
    for (const one of [owner, followUpOwner])
      if (one !== undefined && one !== "me" && one !== "none")
        await requireMember(tx, { organisationId: viewer.organisationId, userId: one });
    await lockLeadViews(tx, viewer);
    const id = await upsertLeadView(tx, viewer, view);
    const views = await selectLeadViews(tx, viewer);
    if (views.filter(({ own }) => own).length > maxLeadViews)
      throw new Problem("quota-reached", `You have ${maxLeadViews} views, which is the limit. Delete one first.`);
    const saved = views.find((one) => one.id === id);
    if (!saved) throw new Error("a view is not there right after it was saved");
    return saved;
  });
}

export async function deleteLeadView(database: Database, caller: Member, id: string): Promise<void> {
  const deleted = await database.withTransaction(viewerOf(caller), (tx) =>
    deleteView(tx, viewerOf(caller), { id, shared: isAdmin(caller.organisation.role) }),
  );
  if (!deleted) throw new Problem("not-found", "View not found.");
}

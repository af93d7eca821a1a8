import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { deleteInvitation } from "./invitations.table.ts";

export async function withdrawInvitation(database: Database, caller: Member, id: string): Promise<void> {
  const organisationId = caller.organisation.id;
  const scope = { userId: caller.userId, organisationId };
  const deleted = await database.withTransaction(scope, (tx) => deleteInvitation(tx, { id, organisationId }));
  if (!deleted) throw new Problem("not-found", "Invitation not found. It may have been accepted already.");
}

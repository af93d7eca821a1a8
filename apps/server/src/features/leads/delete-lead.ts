import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { leadNotFound } from "./get-lead.ts";
import { removeLead } from "./leads.table.ts";

/** With its notes and files; its calls stay in the log, and its files' bytes go with the next sweep. */
export async function deleteLead(database: Database, caller: Member, id: string): Promise<void> {
  const organisationId = caller.organisation.id;
  const removed = await database.withTransaction({ organisationId, userId: caller.userId }, (tx) =>
    removeLead(tx, { id, organisationId }),
  );
  if (!removed) throw leadNotFound();
}

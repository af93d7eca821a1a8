import type { LeadNote } from "@leadline/contract/leads";
import { isAdmin } from "@leadline/contract/organisations";
import type { Database } from "../../../db/database.ts";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { requireLead } from "../get-lead.ts";
import {
  countLeadNotes,
  findNoteAuthor,
  insertLeadNote,
  maxNotes,
  removeLeadNote,
  selectLeadNotes,
} from "./lead-notes.table.ts";

export async function listLeadNotes(database: Database, caller: Member, leadId: string): Promise<LeadNote[]> {
  const lead = { id: leadId, organisationId: caller.organisation.id };
  return database.withTransaction({ organisationId: lead.organisationId, userId: caller.userId }, async (tx) => {
    await requireLead(tx, lead);
    return selectLeadNotes(tx, lead);
  });
}

export async function addLeadNote(
  database: Database,
  caller: Member,
  note: { leadId: string; id: string; text: string },
): Promise<LeadNote> {
  const lead = { id: note.leadId, organisationId: caller.organisation.id };
  return database.withTransaction({ organisationId: lead.organisationId, userId: caller.userId }, async (tx) => {
    await requireLead(tx, lead);
    if ((await countLeadNotes(tx, lead)) >= maxNotes)
      throw new Problem("quota-reached", `A lead can have ${maxNotes} notes. Delete some you no longer need.`);
    return insertLeadNote(tx, lead, { id: note.id, userId: caller.userId, text: note.text });
  });
}

/** Deletes the caller's own note, or as an admin any of the organisation's. */
export async function deleteLeadNote(database: Database, caller: Member, id: string): Promise<void> {
  const { userId, organisation } = caller;
  const key = { id, organisationId: organisation.id };
  await database.withTransaction({ organisationId: organisation.id, userId }, async (tx) => {
    const author = await findNoteAuthor(tx, key);
    if (author === null) throw new Problem("not-found", "This note no longer exists.");
    if (author !== userId && !isAdmin(organisation.role))
      throw new Problem("not-allowed", "Only the author of a note, or an admin, can delete it.");
    await removeLeadNote(tx, key);
  });
}

import type { LeadNote } from "@leadline/contract/leads";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { requireLead } from "./get-lead.ts";
import { insertLeadNote, selectLeadNotes } from "./lead-notes.table.ts";

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
    return insertLeadNote(tx, lead, { id: note.id, userId: caller.userId, text: note.text });
  });
}

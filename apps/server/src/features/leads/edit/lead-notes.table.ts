import type { LeadNote } from "@leadline/contract/leads";
import type { Generated, GeneratedAlways } from "kysely";
import { personName } from "../../../db/person-name.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { LeadKey } from "../leads.table.ts";

export interface LeadNoteTable {
  id: string;
  position: GeneratedAlways<number>;
  organisation_id: string;
  lead_id: string;
  user_id: string;
  text: string;
  created_at: Generated<string>;
}

const selectNotes = (tx: Tx, lead: LeadKey) =>
  tx
    .selectFrom("lead_notes")
    .leftJoin("users", "users.id", "lead_notes.user_id")
    .select(["lead_notes.id", "text", "user_id", "lead_notes.created_at", "first_name", "last_name"])
    .where("organisation_id", "=", lead.organisationId)
    .where("lead_id", "=", lead.id);

type NoteRow = Awaited<ReturnType<ReturnType<typeof selectNotes>["executeTakeFirstOrThrow"]>>;

const toLeadNote = (row: NoteRow): LeadNote => ({
  id: row.id,
  text: row.text,
  userId: row.user_id,
  userName: personName(row),
  createdAt: row.created_at,
});

/** A lead has a few dozen at most; its page shows no more than these. */
export const maxNotes = 500;

export async function countLeadNotes(tx: Tx, lead: LeadKey): Promise<number> {
  const row = await tx
    .selectFrom("lead_notes")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", lead.organisationId)
    .where("lead_id", "=", lead.id)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Newest first. */
export async function selectLeadNotes(tx: Tx, lead: LeadKey): Promise<LeadNote[]> {
  const rows = await selectNotes(tx, lead).orderBy("position", "desc").limit(maxNotes).execute();
  return rows.map(toLeadNote);
}

export async function insertLeadNote(
  tx: Tx,
  lead: LeadKey,
  note: { id: string; userId: string; text: string },
): Promise<LeadNote> {
  await tx
    .insertInto("lead_notes")
    .values({
      id: note.id,
      organisation_id: lead.organisationId,
      lead_id: lead.id,
      user_id: note.userId,
      text: note.text,
    })
    .execute();
  return toLeadNote(await selectNotes(tx, lead).where("lead_notes.id", "=", note.id).executeTakeFirstOrThrow());
}

interface NoteKey {
  id: string;
  organisationId: string;
}

/** Null if there is no such note. */
export async function findNoteAuthor(tx: Tx, key: NoteKey): Promise<string | null> {
  const row = await tx
    .selectFrom("lead_notes")
    .select("user_id")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

export async function removeLeadNote(tx: Tx, key: NoteKey): Promise<void> {
  await tx
    .deleteFrom("lead_notes")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .execute();
}

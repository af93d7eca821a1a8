import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table call_transfers add column lead_id uuid references leads on delete set null`.execute(db);
  await sql`create index call_transfers_by_lead on call_transfers (lead_id) where lead_id is not null`.execute(db);
  // Counted for every page of whoever has Leadline open.
  await sql`
    create index voicemail_messages_unheard on voicemail_messages (organisation_id)
      where state = 'kept' and heard_at is null`.execute(db);
}

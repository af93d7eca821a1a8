import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Erasing a person's data: what was erased, and blanking values in the audit log (decision 104). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Proof of an erasure. The id says nothing about the person. Named lead_id, the audit log would look up the name.
    create table erased_leads (
      organisation_id uuid not null references organisations on delete cascade,
      erased_id uuid not null,
      -- No reference: the proof outlives the account.
      erased_by uuid not null,
      erased_at timestamptz not null default clock_timestamp(),
      primary key (organisation_id, erased_id)
    );

    -- Records of CRMs that no sync brings back: a hash of the CRM account and the record's id.
    create table erased_crm_records (
      organisation_id uuid not null references organisations on delete cascade,
      record_hash bytea not null,
      primary key (organisation_id, record_hash)
    );

    -- Its far end's number, name and note are gone.
    alter table calls add column erased_at timestamptz;

    create index lead_notes_by_user on lead_notes (user_id, position)`.execute(db);
  for (const table of ["erased_leads", "erased_crm_records"]) await forceRowSecurity(db, table, ownOrganisation);
  await allowBlanking(db);
}

/** Entries stay, and so does what kind of change each was. Only an erasure blanks values, and nothing writes others. */
async function allowBlanking(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function refuse_audit_change() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      if tg_op = 'DELETE' then
        if not exists (select from public.organisations where id = old.organisation_id and deleted_at is null) then
          return old;
        end if;
        if tg_table_name = 'audit_changes' then
          if not exists (select from public.audit_entries where id = old.entry_id) then
            return old;
          end if;
        elsif old.at < now() - make_interval(days => (
          select audit_days from public.organisations where id = old.organisation_id
        )) then
          return old;
        end if;
      elsif tg_op = 'UPDATE' and current_setting('app.erases_person', true) = 'on' then
        if not exists (
          select from jsonb_each(to_jsonb(new)) became join jsonb_each(to_jsonb(old)) was using (key)
          where became.value <> was.value and not (
            (key in ('subject', 'subject_id', 'address', 'user_agent') and became.value = '""')
            or (key = 'user_name' and became.value = '"Deleted user"')
            or (key in ('before', 'after') and became.value = 'null'))
        ) then
          return new;
        end if;
      end if;
      raise exception 'the audit log is append-only' using errcode = 'LL010';
    end $$`.execute(db);
}

import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** What was changed of a lead, whichever statement changed it: a trigger sees them all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lead_history (
      id bigint generated always as identity primary key,
      organisation_id uuid not null references organisations on delete cascade,
      lead_id uuid not null references leads on delete cascade,
      -- Null: a sync or another job.
      user_id uuid references users on delete set null,
      -- Of each changed field its name, and what it was before and after.
      changes jsonb not null,
      created_at timestamptz not null default clock_timestamp()
    );
    create index lead_history_newest_first on lead_history (lead_id, created_at desc);

    create function note_lead_change() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      insert into public.lead_history (organisation_id, lead_id, user_id, changes)
        select new.organisation_id, new.id, nullif(current_setting('app.user_id', true), '')::uuid,
          jsonb_agg(jsonb_build_object('field', field, 'before', before, 'after', after) order by place)
        from (values
          (1, 'firstName', old.first_name, new.first_name),
          (2, 'lastName', old.last_name, new.last_name),
          (3, 'email', old.email, new.email),
          (4, 'phone', old.phone, new.phone),
          (5, 'company', old.company, new.company),
          (6, 'jobTitle', old.job_title, new.job_title),
          (7, 'status', old.status, new.status),
          (8, 'owner', coalesce(old.owner_id::text, old.owner_name), coalesce(new.owner_id::text, new.owner_name)),
          (9, 'nextStep', old.next_step, new.next_step),
          (10, 'followUpOn', coalesce(old.follow_up_on::text, ''), coalesce(new.follow_up_on::text, ''))
        ) as fields (place, field, before, after)
        where before is distinct from after;
      return null;
    end $$;
    create trigger leads_note_change after update on leads for each row
      when ((old.first_name, old.last_name, old.email, old.phone, old.company, old.job_title, old.status, old.owner_id,
          old.owner_name, old.next_step, old.follow_up_on) is distinct from
        (new.first_name, new.last_name, new.email, new.phone, new.company, new.job_title, new.status, new.owner_id,
          new.owner_name, new.next_step, new.follow_up_on))
      execute function note_lead_change()`.execute(db);
  await forceRowSecurity(db, "lead_history", ownOrganisation);
}

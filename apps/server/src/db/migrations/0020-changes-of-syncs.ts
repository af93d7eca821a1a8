import { type Kysely, sql } from "kysely";

/** Which sync changed a lead: it names its run to the transaction, as a request names its user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Runs go after a while, and these stay.
    alter table lead_history add column sync_run_id uuid;

    create or replace function note_lead_change() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      insert into public.lead_history (organisation_id, lead_id, user_id, sync_run_id, changes)
        select new.organisation_id, new.id, nullif(current_setting('app.user_id', true), '')::uuid,
          nullif(current_setting('app.sync_run_id', true), '')::uuid,
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
    end $$`.execute(db);
}

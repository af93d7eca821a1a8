import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Follow-ups get a time, an owner and a reminder; lists sort them by time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table leads add column follow_up_time time, add column follow_up_user_id uuid references users on delete set null;
    alter table follow_ups
      add column follow_up_time time, add column follow_up_user_id uuid references users on delete set null;

    -- On the organisation's clock. Without a time it is due until the day ends; leads without a day come last.
    alter table leads drop column due_on, add column due_at timestamp not null generated always as (
      coalesce(follow_up_on + coalesce(follow_up_time, time '23:59:59'), 'infinity'::timestamp)) stored;
    create index leads_by_due_time on leads (organisation_id, due_at, position);
    create index leads_by_follow_up_owner on leads (organisation_id, follow_up_user_id, due_at)
      where follow_up_user_id is not null;

    -- Reminders that wait. Triggers write them; delivering one deletes it.
    create table follow_up_reminders (
      id bigint generated always as identity primary key,
      organisation_id uuid not null references organisations on delete cascade,
      lead_id uuid references leads on delete cascade,
      phone_number text,
      user_id uuid not null references users on delete cascade,
      remind_on date not null,
      -- On the organisation's clock.
      remind_at time not null,
      created_at timestamptz not null default clock_timestamp(),
      check ((lead_id is null) <> (phone_number is null))
    );
    create unique index follow_up_reminders_by_lead on follow_up_reminders (lead_id) where lead_id is not null;
    create unique index follow_up_reminders_by_number on follow_up_reminders (organisation_id, phone_number)
      where phone_number is not null;
    create index follow_up_reminders_by_day on follow_up_reminders (remind_on);
    create index follow_up_reminders_by_user on follow_up_reminders (user_id)`.execute(db);
  await forceRowSecurity(db, "follow_up_reminders", ownOrganisation);
  await orderReminders(db);
  await keepHistory(db);
}

/** A follow-up without a time is reminded of at nine. */
async function orderReminders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function order_reminder_of_lead() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      delete from public.follow_up_reminders where lead_id = new.id;
      if new.follow_up_on is not null and new.follow_up_user_id is not null and new.removal_id is null then
        insert into public.follow_up_reminders (organisation_id, lead_id, user_id, remind_on, remind_at)
          values (new.organisation_id, new.id, new.follow_up_user_id, new.follow_up_on,
            coalesce(new.follow_up_time, time '09:00'));
      end if;
      return null;
    end $$;
    create trigger leads_order_reminder_at_once after insert on leads for each row
      when (new.follow_up_user_id is not null) execute function order_reminder_of_lead();
    create trigger leads_order_reminder after update on leads for each row
      when ((old.follow_up_user_id is not null or new.follow_up_user_id is not null)
        and (old.follow_up_on, old.follow_up_time, old.follow_up_user_id, old.removal_id)
          is distinct from (new.follow_up_on, new.follow_up_time, new.follow_up_user_id, new.removal_id))
      execute function order_reminder_of_lead();

    create function order_reminder_of_number() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      delete from public.follow_up_reminders
        where organisation_id = coalesce(new.organisation_id, old.organisation_id)
          and phone_number = coalesce(new.phone_number, old.phone_number);
      if new.follow_up_user_id is not null then
        insert into public.follow_up_reminders (organisation_id, phone_number, user_id, remind_on, remind_at)
          values (new.organisation_id, new.phone_number, new.follow_up_user_id, new.follow_up_on,
            coalesce(new.follow_up_time, time '09:00'));
      end if;
      return null;
    end $$;
    create trigger follow_ups_order_reminder after insert or delete on follow_ups for each row
      execute function order_reminder_of_number();
    create trigger follow_ups_order_reminder_again after update on follow_ups for each row
      when ((old.follow_up_on, old.follow_up_time, old.follow_up_user_id)
        is distinct from (new.follow_up_on, new.follow_up_time, new.follow_up_user_id))
      execute function order_reminder_of_number()`.execute(db);
}

/** The time is written after the day. */
async function keepHistory(db: Kysely<unknown>): Promise<void> {
  await sql`
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
          (10, 'followUpOn', concat_ws(' ', old.follow_up_on, left(old.follow_up_time::text, 5)),
            concat_ws(' ', new.follow_up_on, left(new.follow_up_time::text, 5))),
          (11, 'followUpOwner', coalesce(old.follow_up_user_id::text, ''), coalesce(new.follow_up_user_id::text, ''))
        ) as fields (place, field, before, after)
        where before is distinct from after;
      return null;
    end $$;
    drop trigger leads_note_change on leads;
    create trigger leads_note_change after update on leads for each row
      when ((old.first_name, old.last_name, old.email, old.phone, old.company, old.job_title, old.status, old.owner_id,
          old.owner_name, old.next_step, old.follow_up_on, old.follow_up_time, old.follow_up_user_id) is distinct from
        (new.first_name, new.last_name, new.email, new.phone, new.company, new.job_title, new.status, new.owner_id,
          new.owner_name, new.next_step, new.follow_up_on, new.follow_up_time, new.follow_up_user_id))
      execute function note_lead_change()`.execute(db);
}

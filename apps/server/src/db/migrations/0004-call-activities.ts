import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/**
 * What is to be written of calls to CRMs. Many statements end a call or change its note; a trigger sees each of them, so that
 * none ends without its entry.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Whom calls with a number that several leads have belong to, once somebody has said so.
    create table lead_choices (
      organisation_id uuid not null references organisations on delete cascade,
      phone_number text not null,
      lead_id uuid not null references leads on delete cascade,
      primary key (organisation_id, phone_number)
    );
    create index lead_choices_by_lead on lead_choices (lead_id);

    create table call_activities (
      call_sid text primary key references calls (call_sid) on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      -- Null: several leads have the number, and nobody has said which of them it was.
      lead_id uuid references leads on delete cascade,
      integration_id uuid references integrations on delete cascade,
      state text not null check (state in ('to-sort', 'waiting', 'written', 'failed')),
      -- Grows with whatever is news for the CRM.
      version integer not null default 1,
      external_id text,
      url text,
      problem text,
      tries integer not null default 0,
      -- Whoever writes it puts that off for as long as they may take.
      due_at timestamptz not null default clock_timestamp(),
      created_at timestamptz not null default clock_timestamp(),
      check ((lead_id is null) = (state = 'to-sort')),
      check ((lead_id is null) = (integration_id is null))
    );
    create index call_activities_due on call_activities (due_at) where state = 'waiting';
    create index call_activities_by_lead on call_activities (lead_id);
    create index call_activities_by_integration on call_activities (integration_id);
    create index call_activities_by_organisation on call_activities (organisation_id, state);

    create function note_call_activity() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      whose uuid;
      integration uuid;
      candidates integer := 1;
      of_crm boolean;
    begin
      if new.phone_number = '' or exists (
        select 1 from public.phone_numbers
          where organisation_id = new.organisation_id and number = new.phone_number and state = 'owned'
      ) then
        return null;
      end if;
      whose := new.lead_id;
      if whose is null then
        -- One of a CRM comes first: two are enough to know.
        select count(*), bool_or(integration_id is not null), (array_agg(id))[1] into candidates, of_crm, whose from (
          select id, integration_id from public.leads
            where organisation_id = new.organisation_id and phone_number = new.phone_number
            order by integration_id is null limit 2
        ) as found;
        if not coalesce(of_crm, false) then
          return null;
        end if;
        if candidates > 1 then
          -- Who has got another number since is chosen no longer.
          whose := (
            select leads.id from public.lead_choices join public.leads on leads.id = lead_choices.lead_id
              where lead_choices.organisation_id = new.organisation_id
                and lead_choices.phone_number = new.phone_number and leads.phone_number = new.phone_number);
        end if;
      end if;
      select integration_id into integration from public.leads where id = whose;
      if whose is not null and integration is null then
        return null;
      end if;
      insert into public.call_activities (call_sid, organisation_id, lead_id, integration_id, state)
        values (new.call_sid, new.organisation_id, whose, integration,
          case when whose is null then 'to-sort' else 'waiting' end)
        on conflict (call_sid) do update set
          version = call_activities.version + 1,
          state = case when call_activities.lead_id is null then 'to-sort' else 'waiting' end,
          -- While it waits, somebody may have it in hand until then, and sees the newer version.
          due_at = case when call_activities.state = 'waiting' then call_activities.due_at else clock_timestamp() end;
      return null;
    end $$;

    create trigger calls_activity_at_end after update on calls for each row
      when (new.ended_at is not null and (
        old.ended_at is null or old.note is distinct from new.note or old.outcome_id is distinct from new.outcome_id))
      execute function note_call_activity();
    create trigger calls_activity_at_once after insert on calls for each row
      when (new.ended_at is not null) execute function note_call_activity()`.execute(db);
  for (const table of ["lead_choices", "call_activities"]) await forceRowSecurity(db, table, ownOrganisation);
}

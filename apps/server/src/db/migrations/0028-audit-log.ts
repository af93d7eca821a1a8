import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/**
 * Who changed what through the API, written by triggers in the transaction of the change (decision 102). migrate.ts puts
 * the trigger on every table with data of organisations (audited-tables.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organisations
      add column audit_days integer not null default 365 check (audit_days between 30 and 3650);

    -- One for each transaction of a request.
    create table audit_entries (
      id bigint generated always as identity primary key,
      -- No reference, whose check would lock the organisation's row in every change; the log goes with the organisation.
      organisation_id uuid not null,
      at timestamptz not null default now(),
      -- The endpoint's audit name.
      action text not null,
      -- No reference: the entry outlives the account. Null: nobody was logged in.
      user_id uuid,
      user_name text not null,
      address text not null,
      user_agent text not null,
      request_id text not null
    );
    create index audit_entries_newest_first on audit_entries (organisation_id, at desc, id desc);
    create index audit_entries_by_person on audit_entries (organisation_id, user_id, at desc, id desc);
    create index audit_entries_by_action on audit_entries (organisation_id, action, at desc, id desc);

    -- One for each row that it changed, up to a limit.
    create table audit_changes (
      id bigint generated always as identity primary key,
      entry_id bigint not null references audit_entries on delete cascade,
      organisation_id uuid not null,
      -- The table.
      kind text not null,
      -- The row's primary key without the organisation.
      subject_id text not null,
      subject text not null,
      -- more: this row and further ones changed too, and aren't listed.
      operation text not null check (operation in ('created', 'changed', 'deleted', 'more')),
      -- Of a change, the changed columns only.
      before jsonb,
      after jsonb
    );
    create index audit_changes_of_entry on audit_changes (entry_id);
    create index audit_changes_by_subject on audit_changes (organisation_id, subject_id)`.execute(db);
  for (const table of ["audit_entries", "audit_changes"]) await forceRowSecurity(db, table, ownOrganisation);
  await createTriggerFunctions(db);
  await keepEntries(db);
}

async function createTriggerFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The user's name as it is now: later they may have left, and their row is hidden.
    create function open_audit_entry(organisation uuid) returns bigint
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      context jsonb := current_setting('app.audit')::jsonb;
      opened bigint;
    begin
      insert into public.audit_entries (organisation_id, action, user_id, user_name, address, user_agent, request_id)
        values (
          organisation, context->>'action', (context->>'userId')::uuid,
          coalesce((select trim(first_name || ' ' || last_name) from public.users
            where id = (context->>'userId')::uuid), ''),
          context->>'address', context->>'userAgent', context->>'requestId')
        returning id into opened;
      return opened;
    end $$;

    -- What it is called on screen.
    create function audit_subject(of_row jsonb) returns text
    language plpgsql stable
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      called text := coalesce(
        nullif(trim(concat(of_row->>'first_name', ' ', of_row->>'last_name')), ''),
        of_row->>'name', of_row->>'label', of_row->>'file_name', of_row->>'number', of_row->>'phone_number',
        of_row->>'email', of_row->>'description', of_row->>'prefix');
    begin
      if called is null and of_row->>'lead_id' is not null then
        select trim(first_name || ' ' || last_name) into called from public.leads
          where id = (of_row->>'lead_id')::uuid;
      elsif called is null and of_row->>'user_id' is not null then
        select trim(first_name || ' ' || last_name) into called from public.users
          where id = (of_row->>'user_id')::uuid;
      end if;
      return coalesce(called, '');
    end $$;

    -- Arguments: columns that are left out, columns whose values are secret or none of the log's business, and the
    -- primary key.
    create function audit_change() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      most_changes constant integer := 50;
      hides constant text[] := tg_argv[1];
      outer_scope constant text := coalesce(current_setting('app.scope', true), '');
      was constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
      became constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
      whole constant jsonb := coalesce(became, was);
      -- The entry that this transaction has begun: its id, organisation and number of changes.
      begun text[] := string_to_array(current_setting('app.audit_entry', true), ' ');
      -- A table without organisations: the one that the person acts in.
      organisation constant text := case tg_table_name when 'organisations' then whole->>'id'
        else coalesce(whole->>'organisation_id', current_setting('app.audit')::jsonb->>'organisationId') end;
      before jsonb;
      after jsonb;
      changes integer := 1;
    begin
      if organisation is null or (begun[2] = organisation and begun[3]::integer > most_changes) then
        return null;
      end if;
      select
          jsonb_object_agg(key, case when key = any (hides) then '"(not recorded)"' else first.value end)
            filter (where first.value <> 'null'),
          jsonb_object_agg(key, case when key = any (hides) then '"(not recorded)"' else then_.value end)
            filter (where then_.value <> 'null')
        into before, after
        from jsonb_each(coalesce(was, '{}') - tg_argv[0]::text[]) first
        full join jsonb_each(coalesce(became, '{}') - tg_argv[0]::text[]) then_ using (key)
        where first.value is distinct from then_.value;
      if before is null and after is null then
        return null;
      end if;
      perform set_config('app.scope', 'system', true);
      if begun[2] = organisation then
        changes := begun[3]::integer + 1;
      else
        begun := array[public.open_audit_entry(organisation::uuid)::text, organisation];
      end if;
      insert into public.audit_changes (entry_id, organisation_id, kind, subject_id, subject, operation, before, after)
        values (
          begun[1]::bigint, organisation::uuid, tg_table_name,
          (select coalesce(string_agg(whole->>key, ' ' order by at), '')
            from unnest(tg_argv[2]::text[]) with ordinality as keys (key, at)),
          public.audit_subject(whole),
          case when changes > most_changes then 'more' when tg_op = 'INSERT' then 'created'
            when tg_op = 'DELETE' then 'deleted' else 'changed' end,
          case when changes <= most_changes then before end,
          case when changes <= most_changes then after end);
      perform set_config('app.audit_entry', concat_ws(' ', begun[1], organisation, changes), true);
      perform set_config('app.scope', outer_scope, true);
      return null;
    end $$`.execute(db);
}

/** Nobody can change an entry; it can be deleted once its time is over, or with its organisation. */
async function keepEntries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_audit_change() returns trigger
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
      end if;
      raise exception 'the audit log is append-only' using errcode = 'LL010';
    end $$`.execute(db);
  for (const table of ["audit_entries", "audit_changes"]) {
    await sql`
      create trigger audit_log_stays before update or delete on ${sql.table(table)}
        for each row execute function refuse_audit_change();
      create trigger audit_log_stays_all before truncate on ${sql.table(table)}
        for each statement execute function refuse_audit_change()`.execute(db);
  }
}

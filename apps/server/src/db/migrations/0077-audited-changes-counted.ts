import { type Kysely, sql } from "kysely";

/** An entry of the audit log says exactly how many changes it has beyond those that it lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Writes how many changes the transaction's entry has beyond the listed ones. The next change begins another entry.
    create function finish_audit_entry() returns void
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      outer_scope constant text := coalesce(current_setting('app.scope', true), '');
      -- As in audit_change.
      begun constant text[] := string_to_array(nullif(current_setting('app.audit_entry', true), ''), ' ');
    begin
      if begun[4] is not null then
        perform set_config('app.scope', 'system', true);
        insert into public.audit_changes (entry_id, organisation_id, kind, subject_id, subject, operation, after)
          values (begun[1]::bigint, begun[2]::uuid, begun[5], '', '', 'more', jsonb_build_object('count', begun[4]::integer));
        perform set_config('app.scope', outer_scope, true);
      end if;
      perform set_config('app.audit_entry', '', true);
    end $$;

    create function finish_audit_entry_at_commit() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      if split_part(current_setting('app.audit_entry', true), ' ', 1) = new.id::text then
        perform public.finish_audit_entry();
      end if;
      return null;
    end $$;
    create constraint trigger audit_entry_finishes after insert on audit_entries
      deferrable initially deferred for each row execute function finish_audit_entry_at_commit();

    -- As in migration 0028, except that changes beyond the listed ones are counted. Arguments: columns that are left
    -- out, columns whose values are secret or none of the log's business, and the primary key.
    create or replace function audit_change() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      most_changes constant integer := 50;
      ignores constant text[] := tg_argv[0];
      hides constant text[] := tg_argv[1];
      outer_scope constant text := coalesce(current_setting('app.scope', true), '');
      was constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
      became constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
      whole constant jsonb := coalesce(became, was);
      -- The entry that this transaction has begun: its id, organisation and number of listed changes; then how many
      -- more there are, and the table of the first of those.
      begun text[] := string_to_array(nullif(current_setting('app.audit_entry', true), ''), ' ');
      -- A table without organisations: the one that the person acts in.
      organisation constant text := case tg_table_name when 'organisations' then whole->>'id'
        else coalesce(whole->>'organisation_id', current_setting('app.audit')::jsonb->>'organisationId') end;
      before jsonb;
      after jsonb;
    begin
      if organisation is null then
        return null;
      end if;
      if begun[2] = organisation and begun[3]::integer >= most_changes then
        if coalesce(was, '{}') - ignores <> coalesce(became, '{}') - ignores then
          perform set_config('app.audit_entry', concat_ws(' ', begun[1], organisation, begun[3],
            coalesce(begun[4]::integer, 0) + 1, coalesce(begun[5], tg_table_name)), true);
        end if;
        return null;
      end if;
      select
          jsonb_object_agg(key, case when key = any (hides) then '"(not recorded)"' else first.value end)
            filter (where first.value <> 'null'),
          jsonb_object_agg(key, case when key = any (hides) then '"(not recorded)"' else then_.value end)
            filter (where then_.value <> 'null')
        into before, after
        from jsonb_each(coalesce(was, '{}') - ignores) first
        full join jsonb_each(coalesce(became, '{}') - ignores) then_ using (key)
        where first.value is distinct from then_.value;
      if before is null and after is null then
        return null;
      end if;
      if begun[2] is distinct from organisation then
        perform public.finish_audit_entry();
      end if;
      perform set_config('app.scope', 'system', true);
      if begun[2] is distinct from organisation then
        begun := array[public.open_audit_entry(organisation::uuid)::text, organisation, '0'];
      end if;
      insert into public.audit_changes (entry_id, organisation_id, kind, subject_id, subject, operation, before, after)
        values (
          begun[1]::bigint, organisation::uuid, tg_table_name,
          (select coalesce(string_agg(whole->>key, ' ' order by at), '')
            from unnest(tg_argv[2]::text[]) with ordinality as keys (key, at)),
          public.audit_subject(whole),
          case tg_op when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'changed' end, before, after);
      perform set_config('app.audit_entry', concat_ws(' ', begun[1], organisation, begun[3]::integer + 1), true);
      perform set_config('app.scope', outer_scope, true);
      return null;
    end $$`.execute(db);
}

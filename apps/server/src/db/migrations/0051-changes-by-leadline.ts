import { type Kysely, sql } from "kysely";

/** What jobs, syncs and reports of others change is in the audit log too, as changes by Leadline (as-leadline.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table audit_entries add column by_leadline boolean not null default false;

    create or replace function open_audit_entry(organisation uuid) returns bigint
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      context jsonb := current_setting('app.audit')::jsonb;
      is_leadline constant boolean := coalesce((context->>'byLeadline')::boolean, false);
      opened bigint;
    begin
      insert into public.audit_entries (
          organisation_id, action, user_id, user_name, by_leadline, address, user_agent, request_id)
        values (
          organisation, context->>'action', (context->>'userId')::uuid,
          case when is_leadline then 'Leadline' else coalesce((select trim(first_name || ' ' || last_name)
            from public.users where id = (context->>'userId')::uuid), '') end,
          is_leadline, context->>'address', context->>'userAgent', context->>'requestId')
        returning id into opened;
      return opened;
    end $$;

    -- A sync may change thousands of leads: one entry has its counts, written by the statement that ends it.
    create function audit_sync_run() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      outer_scope constant text := coalesce(current_setting('app.scope', true), '');
      outer_audit constant text := coalesce(current_setting('app.audit', true), '');
    begin
      perform set_config('app.scope', 'system', true);
      perform set_config('app.audit', '{"action": "leads.synced", "byLeadline": true, "address": "", "userAgent": "", "requestId": ""}', true);
      insert into public.audit_changes (entry_id, organisation_id, kind, subject_id, subject, operation, after)
        values (
          public.open_audit_entry(new.organisation_id), new.organisation_id, 'sync_runs', new.id::text,
          coalesce((select label from public.integrations where id = new.integration_id), ''), 'changed',
          jsonb_strip_nulls(jsonb_build_object('leads_added', nullif(new.created_count, 0),
            'leads_changed', nullif(new.updated_count, 0), 'leads_deleted', nullif(new.deleted_count, 0),
            'leads_kept', nullif(new.kept_count, 0), 'problem', new.problem)));
      perform set_config('app.audit', outer_audit, true);
      perform set_config('app.scope', outer_scope, true);
      return null;
    end $$;
    create trigger audit_sync_run after update of ended_at on sync_runs for each row
      when (old.ended_at is null and new.ended_at is not null
        and new.created_count + new.updated_count + new.deleted_count > 0)
      execute function audit_sync_run()`.execute(db);
}

import { type Kysely, sql } from "kysely";
import { appRole } from "../app-role.ts";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Changes of many leads at once. Deleted leads stay hidden for as long as the deletion can be undone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lead_changes (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      user_id uuid not null references users on delete cascade,
      kind text not null check (kind in ('owner', 'status', 'do-not-call', 'delete')),
      action jsonb not null,
      -- Null: the leads were named, and changed at once.
      matching jsonb,
      state text not null check (state in ('running', 'done', 'undoing', 'undone', 'failed')),
      changed integer not null default 0,
      total integer,
      -- Leads from this position on are done: it goes from the newest lead to the oldest.
      done_from bigint,
      failures integer not null default 0,
      created_at timestamptz not null default clock_timestamp(),
      undo_until timestamptz
    );
    create index lead_changes_by_person on lead_changes (organisation_id, user_id, created_at desc);
    create index lead_changes_to_purge on lead_changes (undo_until) where undo_until is not null;

    alter table leads add column removal_id uuid;
    create index leads_removed on leads (removal_id) where removal_id is not null;
    -- No query sees a lead that is removed, unless its transaction asks for those too (see-removed-leads). Of the app's
    -- role alone: under any policy that looks at the row, the role that searches could not use the index on text.
    create policy hides_removed on leads as restrictive for all to ${sql.id(appRole)}
      using (removal_id is null or (select coalesce(current_setting('app.sees_removed_leads', true), '') = 'on'))
      with check (true)`.execute(db);
  await forceRowSecurity(db, "lead_changes", ownOrganisation);
}

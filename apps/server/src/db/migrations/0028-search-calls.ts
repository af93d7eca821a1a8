import { type Kysely, sql } from "kysely";
import { appRole, searchRole } from "../app-role.ts";
import { currentOrganisation } from "../row-security.ts";

/** Notes and numbers of calls are found by trigrams, as leads are (0010-leads.ts), and not by reading every call. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table calls add column note_search text
    generated always as (nullif(leadline_search.fold(note), '')) stored`.execute(db);
  await sql`
    create index calls_note_search on calls using gin (organisation_id, note_search gin_trgm_ops)
    with (gin_pending_list_limit = 512) where note_search is not null`.execute(db);
  await sql`
    create index calls_number_search on calls using gin (organisation_id, phone_number gin_trgm_ops)
    with (gin_pending_list_limit = 512)`.execute(db);
  // Without the organisation before it, the planner walks past everybody else's newer calls to an organisation's newest.
  await sql`alter table calls drop constraint calls_pkey, add primary key (organisation_id, id)`.execute(db);
  await sql`drop index calls_newest_first`.execute(db);
  const role = sql.id(searchRole);
  await sql`create policy search_all on calls for select to ${role} using (true)`.execute(db);
  await sql`grant select (organisation_id, id, phone_number, note_search) on calls to ${role}`.execute(db);
  await letSearch(db);
}

/** Up to `most` calls of the scope's organisation whose note holds every pattern, or whose number holds the digits. */
async function letSearch(db: Kysely<unknown>): Promise<void> {
  const role = sql.id(searchRole);
  await sql`
    create function leadline_search.call_ids(note_patterns text[], digits text, most integer)
    returns setof bigint
    language plpgsql stable security definer
    set search_path = pg_catalog, public, pg_temp
    set enable_seqscan = off
    set enable_indexscan = off
    as $$
    declare
      is_about text := (
        select string_agg(format('note_search like %L', pattern), ' and ') from unnest(note_patterns) as pattern);
    begin
      if digits is not null then
        is_about := format('(%s) or phone_number like %L', is_about, '%' || digits || '%');
      end if;
      return query execute 'select id from public.calls where organisation_id = $1 and (' || is_about || ') limit $2'
        using ${sql.raw(currentOrganisation)}, most;
    end $$`.execute(db);
  const name = sql`leadline_search.call_ids(text[], text, integer)`;
  // A function's new owner must be allowed to make one in its schema, at that moment only.
  await sql`grant create on schema leadline_search to ${role}`.execute(db);
  await sql`alter function ${name} owner to ${role}`.execute(db);
  await sql`revoke create on schema leadline_search from ${role}`.execute(db);
  await sql`set local role ${role}`.execute(db);
  await sql`revoke all on function ${name} from public`.execute(db);
  await sql`grant execute on function ${name} to ${sql.id(appRole)}`.execute(db);
  await sql`reset role`.execute(db);
}

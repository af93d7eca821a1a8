import { type Kysely, sql } from "kysely";
import { searchRole } from "../app-role.ts";
import { currentOrganisation } from "../row-security.ts";

/**
 * Leads are found by windows of three characters, hashed together with their organisation: a trigram index that has the
 * organisation beside the text reads through all of a large organisation's leads once more for every term.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A space with one character after it is a window too: what a word of one letter begins with.
  await sql`
    create function leadline_search.windows(organisation uuid, given text) returns bigint[]
    language plpgsql immutable parallel safe strict
    as $$
    declare
      seed bigint := uuid_hash_extended(organisation, 0);
      hashes bigint[] := '{}';
    begin
      for at in 1 .. length(given) - 1 loop
        if at < length(given) - 1 then
          hashes := hashes || hashtextextended(substr(given, at, 3), seed);
        end if;
        if substr(given, at, 1) = ' ' then
          hashes := hashes || hashtextextended(substr(given, at, 2), seed);
        end if;
      end loop;
      return hashes;
    end $$`.execute(db);
  await sql`drop index leads_search`.execute(db);
  await sql`
    create index leads_search on leads using gin (leadline_search.windows(organisation_id, search))
    with (gin_pending_list_limit = 512)`.execute(db);
  // The planner has one way only; counting the windows' frequencies would be for nothing.
  await sql`alter index leads_search alter column 1 set statistics 0`.execute(db);
  await findByWindows(db);
}

/** As in 0010-leads.ts. */
async function findByWindows(db: Kysely<unknown>): Promise<void> {
  const role = sql.id(searchRole);
  await sql`grant create on schema leadline_search to ${role}`.execute(db);
  await sql`set local role ${role}`.execute(db);
  await sql`
    create or replace function leadline_search.lead_positions(patterns text[], most integer)
    returns setof bigint
    language plpgsql stable security definer
    set search_path = pg_catalog, public, pg_temp
    set enable_seqscan = off
    set enable_indexscan = off
    as $$
    declare
      organisation uuid := ${sql.raw(currentOrganisation)};
      holds_all text := (select string_agg(format('search like %L', pattern), ' and ') from unnest(patterns) as pattern);
      sought bigint[] := (
        select array_agg(hash)
        from unnest(patterns) as pattern,
          regexp_replace(substr(pattern, 2, length(pattern) - 2), '\\\\(.)', '\\1', 'g') as word,
          unnest(leadline_search.windows(organisation, word)) as hash);
    begin
      return query execute 'select position from public.leads
        where leadline_search.windows(organisation_id, search) @> $1 and organisation_id = $2 and ' || holds_all || ' limit $3'
        using sought, organisation, most;
    end $$`.execute(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema leadline_search from ${role}`.execute(db);
}

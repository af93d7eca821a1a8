import { type Kysely, sql } from "kysely";
import { appRole, searchRole } from "../app-role.ts";
import { currentOrganisation } from "../row-security.ts";

/**
 * The search for leads may be kept to stretches of 65,536 positions: of a term that one lead in a thousand holds, the
 * newest page is found without reading where all the others are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const role = sql.id(searchRole);
  await sql`drop index leads_search`.execute(db);
  // What is searched stands first, as GIN looks up the columns in their order: the organisation's own list, the longest
  // of all, is read at the few places that the rest leaves.
  await sql`
    create index leads_search on leads using gin (search gin_trgm_ops, (position >> 16), organisation_id)
    with (gin_pending_list_limit = 512)`.execute(db);
  await sql`drop function leadline_search.lead_positions(text[], integer)`.execute(db);
  // As the one it follows (0010-leads.ts): the settings leave no way but the index, the plan is made anew for each term.
  await sql`
    create function leadline_search.lead_positions(patterns text[], most integer, stretches bigint[])
    returns setof bigint
    language plpgsql stable security definer
    set search_path = pg_catalog, public, pg_temp
    set enable_seqscan = off
    set enable_indexscan = off
    as $$
    declare
      found text := (
        select 'select position from public.leads where organisation_id = $1 and '
          || string_agg(format('search like %L', pattern), ' and ') from unnest(patterns) as pattern);
      stretch bigint;
    begin
      if stretches is null then
        return query execute found || ' limit $2' using ${sql.raw(currentOrganisation)}, most;
        return;
      end if;
      -- One after the other: of several at once the planner may make a filter, behind the whole organisation's leads.
      foreach stretch in array stretches loop
        return query execute found || ' and position >> 16 = $3 limit $2'
          using ${sql.raw(currentOrganisation)}, most, stretch;
      end loop;
    end $$`.execute(db);
  const name = sql`leadline_search.lead_positions(text[], integer, bigint[])`;
  // A function's new owner must be allowed to make one in its schema, at that moment only.
  await sql`grant create on schema leadline_search to ${role}`.execute(db);
  await sql`alter function ${name} owner to ${role}`.execute(db);
  await sql`revoke create on schema leadline_search from ${role}`.execute(db);
  await sql`set local role ${role}`.execute(db);
  await sql`revoke all on function ${name} from public`.execute(db);
  await sql`grant execute on function ${name} to ${sql.id(appRole)}`.execute(db);
  await sql`reset role`.execute(db);
}

import { type Kysely, sql } from "kysely";
import { appRole, searchRole } from "../../app-role.ts";
import { currentOrganisation } from "../../row-security.ts";

const app = sql.id(appRole);
const role = sql.id(searchRole);

/** Search by trigrams, within the scope's organisation, by functions of a role that the row policies let read what is searched. */
export async function createSearch(db: Kysely<unknown>): Promise<void> {
  await sql`
    create policy search_all on leads for select to ${role} using (true);
    create policy search_all on calls for select to ${role} using (true);
    grant select (organisation_id, position, search) on leads to ${role};
    grant select (organisation_id, id, phone_number, note_search) on calls to ${role};
    grant usage on schema leadline_search to ${role}, ${app}`.execute(db);
  // Up to `most` leads that hold every pattern, by their position.
  await sql`
    create function leadline_search.lead_positions(patterns text[], most integer) ${onlyByTrigrams} as $$
    begin
      return query execute ${leadsThatHoldAll} || ' limit $2' using ${sql.raw(currentOrganisation)}, most;
    end $$`.execute(db);
  // The newest of them. One stretch of positions after the other, the second only where the first does not fill the page: of
  // several at once the planner may make a filter, behind the whole organisation's leads.
  await sql`
    create function leadline_search.newest_lead_positions(patterns text[], newest bigint, most integer) ${onlyByTrigrams} as $$
    declare
      found text := ${leadsThatHoldAll} || ' and position >> 16 = $2 and position <= $3 order by position desc limit $4';
      rest integer := most;
      count integer;
    begin
      for back in 0 .. 1 loop
        return query execute found using ${sql.raw(currentOrganisation)}, (newest >> 16) - back, newest, rest;
        get diagnostics count = row_count;
        rest := rest - count;
        exit when rest = 0;
      end loop;
    end $$`.execute(db);
  // Up to `most` calls whose note holds every pattern, or whose number holds the digits.
  await sql`
    create function leadline_search.call_ids(note_patterns text[], digits text, most integer) ${onlyByTrigrams} as $$
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
  await giveToSearchRole(db, "lead_positions(text[], integer)");
  await giveToSearchRole(db, "newest_lead_positions(text[], bigint, integer)");
  await giveToSearchRole(db, "call_ids(text[], text, integer)");
}

/** The settings leave the planner no way but the trigram index; the plan is made anew for each term, as how common it is decides it. */
const onlyByTrigrams = sql`
    returns setof bigint
    language plpgsql stable security definer
    set search_path = pg_catalog, public, pg_temp
    set enable_seqscan = off
    set enable_indexscan = off`;

const leadsThatHoldAll = sql`(
  select 'select position from public.leads where organisation_id = $1 and '
    || string_agg(format('search like %L', pattern), ' and ') from unnest(patterns) as pattern)`;

/** A function's new owner must be allowed to make one in its schema, at that moment only. */
async function giveToSearchRole(db: Kysely<unknown>, signature: string): Promise<void> {
  const name = sql`leadline_search.${sql.raw(signature)}`;
  await sql`grant create on schema leadline_search to ${role}`.execute(db);
  await sql`alter function ${name} owner to ${role}`.execute(db);
  await sql`revoke create on schema leadline_search from ${role}`.execute(db);
  await sql`set local role ${role}`.execute(db);
  await sql`revoke all on function ${name} from public`.execute(db);
  await sql`grant execute on function ${name} to ${app}`.execute(db);
  await sql`reset role`.execute(db);
}

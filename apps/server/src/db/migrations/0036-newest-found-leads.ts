import { type Kysely, sql } from "kysely";
import { appRole, searchRole } from "../app-role.ts";
import { currentOrganisation } from "../row-security.ts";

/**
 * The newest leads that hold every pattern have a function of their own, which ends as soon as it has enough: the second
 * stretch of positions is read only where the first does not fill the page.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop function leadline_search.lead_positions(text[], integer, bigint[])`.execute(db);
  await sql`
    create function leadline_search.lead_positions(patterns text[], most integer) ${onlyByTrigrams} as $$
    begin
      return query execute ${leadsThatHoldAll} || ' limit $2' using ${sql.raw(currentOrganisation)}, most;
    end $$`.execute(db);
  // One stretch after the other: of several at once the planner may make a filter, behind the whole organisation's leads.
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
  await giveToSearchRole(db, "lead_positions(text[], integer)");
  await giveToSearchRole(db, "newest_lead_positions(text[], bigint, integer)");
}

/** As in 0010-leads.ts: the settings leave no way but the trigram index, and the plan is made anew for each term. */
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
  const role = sql.id(searchRole);
  const name = sql`leadline_search.${sql.raw(signature)}`;
  await sql`grant create on schema leadline_search to ${role}`.execute(db);
  await sql`alter function ${name} owner to ${role}`.execute(db);
  await sql`revoke create on schema leadline_search from ${role}`.execute(db);
  await sql`set local role ${role}`.execute(db);
  await sql`revoke all on function ${name} from public`.execute(db);
  await sql`grant execute on function ${name} to ${sql.id(appRole)}`.execute(db);
  await sql`reset role`.execute(db);
}

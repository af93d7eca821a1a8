import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  // For a server of a carrier's: whoever answers there can make anything of a number, so that it proves nothing elsewhere.
  await sql`
    create table verified_caller_ids (
      organisation_id uuid not null references organisations on delete cascade,
      number text not null,
      server text not null,
      how text not null check (how in ('called', 'kept')),
      verified_at timestamptz not null default clock_timestamp(),
      primary key (organisation_id, number, server)
    )`.execute(db);
  await sql`
    create table caller_id_codes (
      carrier_id uuid primary key references carriers on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      number text not null,
      server text not null,
      code_hash bytea not null,
      tries integer not null default 0,
      expires_at timestamptz not null
    )`.execute(db);
  for (const table of ["verified_caller_ids", "caller_id_codes"]) await forceRowSecurity(db, table, ownOrganisation);
  // What trunks have shown until now they go on showing, at the servers that they have now.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    insert into verified_caller_ids (organisation_id, number, server, how)
    select distinct organisation_id, number,
      lower(rtrim(btrim(regexp_replace(server, ':[0-9]+$', ''), ' []'), '.')), 'kept'
    from (
      select organisation_id,
        coalesce(
          settings ->> 'callerId',
          case when settings ->> 'authentication' = 'ip' then settings -> 'numbers' ->> 0 end
        ) as number,
        regexp_split_to_table(coalesce(settings ->> 'outboundProxy', settings ->> 'host'), ',') as server
      from carriers
      where kind = 'sip-trunk'
    ) as shown
    where number is not null and btrim(server) <> ''
    on conflict do nothing`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}

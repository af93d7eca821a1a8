import { type Kysely, sql } from "kysely";

/** A hold of nothing is covered by every balance, even one below zero after a chargeback. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function ledger_hold(org uuid, wanted_key text, sum bigint) returns boolean
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      earlier public.ledger_holds;
      missing bigint;
    begin
      perform 1 from public.ledger_accounts where organisation_id = org and account = 'balance' for update;
      select * into earlier from public.ledger_holds where organisation_id = org and key = wanted_key;
      if earlier.state <> 'open' then
        raise exception 'the hold % is resolved', wanted_key using errcode = 'LL003';
      end if;
      missing := sum - coalesce(earlier.amount, 0);
      if earlier.key is not null and missing <= 0 then
        return true;
      end if;
      update public.ledger_accounts set held = held + missing
        where organisation_id = org and account = 'balance' and greatest(balance - held, 0) >= missing;
      if not found then
        return false;
      end if;
      insert into public.ledger_holds (organisation_id, key, amount) values (org, wanted_key, sum)
        on conflict (organisation_id, key) do update set amount = excluded.amount;
      return true;
    end $$`.execute(db);
}

import { type Kysely, sql } from "kysely";
import { currentUser, forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Money: accounts, transfers between them and holds on the balance. docs/decisions/0090-ledger.md says why it is in SQL. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Row-level security is forced on the owner too, and accounts are opened for every organisation.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await createTables(db);
  await createFunctions(db);
  await createHolds(db);
  await protectRows(db);
  await chargeEndedCalls(db);
  await moveFromColumns(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organisations
      add column billing_mode text not null default 'metered' check (billing_mode in ('metered', 'prepaid'));

    -- Millionths of a US dollar. The balances of an organisation's accounts add up to zero.
    create table ledger_accounts (
      organisation_id uuid not null references organisations on delete cascade,
      account text not null
        check (account in ('adjustments', 'balance', 'costs', 'metered', 'payments', 'write-off')),
      balance bigint not null default 0,
      -- The sum of the open holds, on the account 'balance' only.
      held bigint not null default 0 check (held >= 0),
      primary key (organisation_id, account)
    ) with (fillfactor = 50);

    create table ledger_transfers (
      id bigint generated always as identity primary key,
      -- No reference, which every insert would check: the accounts, locked before it, have one.
      organisation_id uuid not null,
      key text not null,
      kind text not null,
      from_account text not null,
      to_account text not null,
      amount bigint not null check (amount > 0),
      -- Both balances after the transfer.
      from_balance bigint not null,
      to_balance bigint not null,
      -- No reference: the entry outlives the call.
      call_sid text,
      posted_at timestamptz not null default clock_timestamp(),
      check (from_account <> to_account),
      unique (organisation_id, key)
    );
    create index ledger_transfers_by_time on ledger_transfers (organisation_id, posted_at, id);
    -- Almost all are of calls: these are the few that would be looked for among them.
    create index ledger_transfers_by_kind on ledger_transfers (organisation_id, kind, posted_at, id) where kind <> 'call';

    create table ledger_holds (
      organisation_id uuid not null references organisations on delete cascade,
      key text not null,
      amount bigint not null check (amount >= 0),
      state text not null default 'open' check (state in ('open', 'posted', 'voided')),
      opened_at timestamptz not null default clock_timestamp(),
      resolved_at timestamptz,
      check ((resolved_at is null) = (state = 'open')),
      primary key (organisation_id, key)
    );

    create function open_ledger() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      insert into public.ledger_accounts (organisation_id, account)
        select new.id, unnest(array['adjustments', 'balance', 'costs', 'metered', 'payments', 'write-off']);
      return null;
    end $$;
    create trigger organisations_open_ledger after insert on organisations
      for each row execute function open_ledger();
    insert into ledger_accounts (organisation_id, account)
      select id, unnest(array['adjustments', 'balance', 'costs', 'metered', 'payments', 'write-off'])
      from organisations`.execute(db);
  // The list of a person's organisations shows the balance of each.
  const ownMembership = `exists (select 1 from memberships m
    where m.organisation_id = ledger_accounts.organisation_id and m.user_id = (select ${currentUser}))`;
  await forceRowSecurity(db, "ledger_accounts", `${ownOrganisation} or ${ownMembership}`, ownOrganisation);
  for (const table of ["ledger_transfers", "ledger_holds"]) await forceRowSecurity(db, table, ownOrganisation);
}

async function createFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The two rows are locked in the order of their names, as everywhere in the ledger, so that no two transfers deadlock.
    -- 'always': may take the balance below zero, for what has been spent already.
    create function ledger_post(
      org uuid, wanted_key text, wanted_kind text, source text, target text, sum bigint,
      sid text default null, always boolean default false
    ) returns bigint
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      row record;
      source_after bigint;
      target_after bigint;
      available bigint;
      earlier public.ledger_transfers;
      posted bigint;
    begin
      for row in select account, balance, held from public.ledger_accounts
        where organisation_id = org and account in (source, target) order by account for update
      loop
        if row.account = source then
          source_after := row.balance - sum;
          available := row.balance - row.held;
        else
          target_after := row.balance + sum;
        end if;
      end loop;
      if always or source <> 'balance' or available >= sum then
        insert into public.ledger_transfers
            (organisation_id, key, kind, from_account, to_account, amount, from_balance, to_balance, call_sid)
          values (org, wanted_key, wanted_kind, source, target, sum, source_after, target_after, sid)
          on conflict (organisation_id, key) do nothing returning id into posted;
      end if;
      if posted is null then
        select * into earlier from public.ledger_transfers where organisation_id = org and key = wanted_key;
        if not found then
          raise exception 'the balance does not cover the transfer' using errcode = 'LL002';
        elsif (earlier.from_account, earlier.to_account, earlier.amount) is distinct from (source, target, sum) then
          raise exception 'the ledger key % was used for another transfer', wanted_key using errcode = 'LL001';
        end if;
        return earlier.id;
      end if;
      update public.ledger_accounts set balance = case account when source then source_after else target_after end
        where organisation_id = org and account in (source, target);
      return posted;
    end $$`.execute(db);
}

async function createHolds(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Holds at least so much under the key; an open hold grows by what is missing. False where the balance does not cover it.
    create function ledger_hold(org uuid, wanted_key text, sum bigint) returns boolean
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
        where organisation_id = org and account = 'balance' and balance - held >= missing;
      if not found then
        return false;
      end if;
      insert into public.ledger_holds (organisation_id, key, amount) values (org, wanted_key, sum)
        on conflict (organisation_id, key) do update set amount = excluded.amount;
      return true;
    end $$;

    -- Ends the hold and charges what was used, which may be more than was held: what the balance does not cover is written off.
    create function ledger_settle(
      org uuid, wanted_key text, wanted_kind text, sum bigint, sid text default null
    ) returns void
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      hold public.ledger_holds;
      covered bigint;
    begin
      perform 1 from public.ledger_accounts
        where organisation_id = org and account in ('balance', 'costs') order by account for update;
      select * into strict hold from public.ledger_holds where organisation_id = org and key = wanted_key;
      if hold.state <> 'open' then
        return;
      end if;
      update public.ledger_holds
        set state = case when sum > 0 then 'posted' else 'voided' end, resolved_at = clock_timestamp()
        where organisation_id = org and key = wanted_key;
      update public.ledger_accounts set held = held - hold.amount
        where organisation_id = org and account = 'balance'
        returning least(sum, greatest(balance - held, 0)) into covered;
      if covered > 0 then
        perform public.ledger_post(org, wanted_key, wanted_kind, 'balance', 'costs', covered, sid);
      end if;
      if sum > covered then
        perform public.ledger_post(
          org, wanted_key || ':write-off', wanted_kind, 'write-off', 'costs', sum - covered, sid);
      end if;
    end $$`.execute(db);
}

async function protectRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Until the organisation itself is deleted.
    create function refuse_ledger_change() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      if tg_op = 'DELETE' and not exists (
        select 1 from public.organisations where id = old.organisation_id and deleted_at is null
      ) then
        return old;
      end if;
      raise exception 'the ledger is append-only' using errcode = 'LL004';
    end $$;
    create trigger ledger_transfers_stay before update or delete on ledger_transfers
      for each row execute function refuse_ledger_change();
    create trigger ledger_transfers_stay_all before truncate on ledger_transfers
      for each statement execute function refuse_ledger_change();
    create trigger ledger_holds_stay before delete on ledger_holds
      for each row execute function refuse_ledger_change();
    create trigger ledger_holds_resolve_once before update on ledger_holds
      for each row when (old.state <> 'open' or new.organisation_id <> old.organisation_id or new.key <> old.key)
      execute function refuse_ledger_change();
    create trigger ledger_accounts_stay before delete on ledger_accounts
      for each row execute function refuse_ledger_change()`.execute(db);
}

async function chargeEndedCalls(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Several statements end calls; a trigger sees each, and the end and its charge are one transaction. Deferred, so that
    -- accounts are the last rows that a transaction locks, and for the shortest time.
    create function charge_ended_call() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      call_key text := 'call:' || new.call_sid;
    begin
      if exists (
        select 1 from public.ledger_holds where organisation_id = new.organisation_id and key = call_key
      ) then
        perform public.ledger_settle(new.organisation_id, call_key, 'call', new.cost_micros, new.call_sid);
      elsif new.cost_micros > 0 then
        perform public.ledger_post(
          new.organisation_id, call_key, 'call', 'metered', 'costs', new.cost_micros, new.call_sid);
      end if;
      return null;
    end $$;
    create constraint trigger calls_charge_at_end after update of ended_at on calls
      deferrable initially deferred
      for each row when (old.ended_at is null and new.ended_at is not null)
      execute function charge_ended_call()`.execute(db);
}

/** Until now, a call's cost and an organisation's balance were columns only. */
async function moveFromColumns(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into ledger_transfers
        (organisation_id, key, kind, from_account, to_account, amount, from_balance, to_balance, call_sid, posted_at)
      select organisation_id, 'call:' || call_sid, 'call', 'metered', 'costs', cost_micros,
        -sum(cost_micros) over sofar, sum(cost_micros) over sofar, call_sid, ended_at
      from calls where ended_at is not null and cost_micros > 0
      window sofar as (partition by organisation_id order by ended_at, id)
      order by ended_at, id;
    insert into ledger_transfers
        (organisation_id, key, kind, from_account, to_account, amount, from_balance, to_balance)
      select id, 'opening-balance', 'adjustment',
        case when balance > 0 then 'adjustments' else 'balance' end,
        case when balance > 0 then 'balance' else 'adjustments' end,
        abs(balance), -abs(balance), abs(balance)
      from organisations where balance <> 0;
    update ledger_accounts set balance =
      coalesce((select sum(amount) from ledger_transfers t
        where t.organisation_id = ledger_accounts.organisation_id and t.to_account = account), 0)
      - coalesce((select sum(amount) from ledger_transfers t
        where t.organisation_id = ledger_accounts.organisation_id and t.from_account = account), 0)
      where organisation_id in (select organisation_id from ledger_transfers);
    alter table organisations drop column balance`.execute(db);
}

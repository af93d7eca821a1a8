import { type Kysely, sql } from "kysely";

/**
 * Where record ids are global, leads and erasures no longer belong to the person who connected the CRM (decision 130),
 * such as "user:1". Former erasures are hashed with one of the persons known here.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table erased_crm_records add column former_accounts text[];
    create index erased_crm_records_of_former_accounts on erased_crm_records (organisation_id)
      where former_accounts is not null;

    select set_config('app.scope', 'system', true);
    select set_config('app.sees_removed_leads', 'on', true);
    update erased_crm_records as erased set former_accounts = known.accounts
      from (
        select organisation_id, array_agg(distinct account) as accounts from (
          select organisation_id, service || ':' || account_id as account from integrations
            where account_id like '%:%'
          union all
          select organisation_id, former_account from leads where former_account like '%:%:%'
        ) as persons group by organisation_id
      ) as known
      where known.organisation_id = erased.organisation_id;
    update integrations set account_id = 'any' where account_id like '%:%';
    update leads set former_account = split_part(former_account, ':', 1) || ':any' where former_account like '%:%:%';
    select set_config('app.sees_removed_leads', '', true);
    select set_config('app.scope', '', true)`.execute(db);
}

import { Client } from "pg";

/** What the database says about an organisation, whatever the server answered. */
export interface Books {
  calls: { callSid: string; isAnswered: boolean; isOver: boolean; costMicros: number }[];
  topUps: { id: string; state: string }[];
  numbersOwned: number;
  /** By kind, the keys of the ledger's entries on the balance. */
  entries: { key: string; kind: string }[];
  balanceMicros: number;
  heldMicros: number;
  /** The accounts add up to zero, each is the sum of its entries, and what is held is the sum of the open holds. */
  addsUp: boolean;
}

export async function readBooks(databaseUrl: string, organisationId: string): Promise<Books> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("select set_config('app.scope', 'system', false)");
    const { rows } = await client.query<Books>(
      `select
        (select coalesce(json_agg(json_build_object('callSid', call_sid, 'isAnswered', answered_at is not null,
          'isOver', ended_at is not null, 'costMicros', cost_micros)), '[]') from calls where organisation_id = o.id) as calls,
        (select coalesce(json_agg(json_build_object('id', id, 'state', state)), '[]')
          from top_ups where organisation_id = o.id) as "topUps",
        (select count(*)::int from phone_numbers where organisation_id = o.id and state = 'owned') as "numbersOwned",
        (select coalesce(json_agg(json_build_object('key', key, 'kind', kind)), '[]')
          from ledger_transfers where organisation_id = o.id) as entries,
        a.balance::float as "balanceMicros", a.held::float as "heldMicros",
        (select sum(balance) from ledger_accounts where organisation_id = o.id) = 0
          and not exists (
            select from ledger_accounts each where organisation_id = o.id and balance <> coalesce((
              select sum(case when to_account = account then amount else -amount end) from ledger_transfers t
              where t.organisation_id = o.id and account in (from_account, to_account)), 0))
          and a.held = coalesce((
            select sum(amount) from ledger_holds where organisation_id = o.id and state = 'open'), 0) as "addsUp"
       from organisations o join ledger_accounts a on a.organisation_id = o.id and a.account = 'balance'
       where o.id = $1`,
      [organisationId],
    );
    const [books] = rows;
    if (!books) throw new Error("the organisation is gone");
    return books;
  } finally {
    await client.end();
  }
}

export const countOf = ({ entries }: Books, kind: string): number =>
  entries.filter((entry) => entry.kind === kind).length;

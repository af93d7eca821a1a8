import { type LeadConditions, LeadStatus } from "@leadline/contract/leads";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Days on the organisation's clock: 2026-03-29. */
export interface DueDays {
  today: string;
  inAWeek: string;
}

/** As the column status_rank has it. */
const statusRankOf = (status: LeadStatus): number => LeadStatus.options.indexOf(status) + 1;

const calledIs = {
  never: sql`last_called_at = '-infinity'`,
  "last-7-days": sql`last_called_at >= now() - interval '7 days'`,
  "not-7-days": sql`last_called_at < now() - interval '7 days'`,
  "not-30-days": sql`last_called_at < now() - interval '30 days'`,
} as const;

const dueIs = {
  overdue: ({ today }: DueDays) => sql`due_on < ${today}::date`,
  today: ({ today }: DueDays) => sql`due_on <= ${today}::date`,
  "next-7-days": ({ inAWeek }: DueDays) => sql`due_on <= ${inAWeek}::date`,
  any: () => sql`due_on < 'infinity'`,
} as const;

/** SQL for each condition, over the columns of leads; every one of them can use an index below row-level security. */
export function meetConditions({ status, owner, called, due }: LeadConditions, days: DueDays): RawBuilder<unknown>[] {
  return [
    ...(status === undefined ? [] : [sql`status_rank = ${statusRankOf(status)}::smallint`]),
    ...(owner === undefined
      ? []
      : [owner === "none" ? sql`owner_id is null and owner_name = ''` : sql`owner_id = ${owner}::uuid`]),
    ...(called === undefined ? [] : [calledIs[called]]),
    ...(due === undefined ? [] : [dueIs[due](days)]),
  ];
}

/** How many leads there are, counted in an index and no farther than `most`. */
export async function countLeadsUpTo(
  tx: Tx,
  {
    organisationId,
    conditions,
    days,
    most,
  }: {
    organisationId: string;
    conditions: LeadConditions;
    days: DueDays;
    most: number;
  },
): Promise<number> {
  const all = sql.join([sql`organisation_id = ${organisationId}`, ...meetConditions(conditions, days)], sql` and `);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from leads where ${all} limit ${most}) as counted`.execute(tx);
  return rows[0]?.count ?? 0;
}

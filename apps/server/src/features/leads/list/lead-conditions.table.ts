import { type LeadConditions, LeadStatus } from "@leadline/contract/leads";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

/** In the organisation's time zone. */
export interface DueTimes {
  /** 2026-03-29 14:30:00 */
  now: string;
  /** The first day that isn't due today: 2026-03-30. */
  tomorrow: string;
  /** The first day that isn't due within seven days. */
  afterAWeek: string;
}

/** As in the column status_rank. */
const statusRankOf = (status: LeadStatus): number => LeadStatus.options.indexOf(status) + 1;

const calledIs = {
  never: sql`last_called_at = '-infinity'`,
  "last-7-days": sql`last_called_at >= now() - interval '7 days'`,
  "not-7-days": sql`last_called_at < now() - interval '7 days'`,
  "not-30-days": sql`last_called_at < now() - interval '30 days'`,
} as const;

const dueIs = {
  overdue: ({ now }: DueTimes) => sql`due_at < ${now}::timestamp`,
  today: ({ tomorrow }: DueTimes) => sql`due_at < ${tomorrow}::timestamp`,
  "next-7-days": ({ afterAWeek }: DueTimes) => sql`due_at < ${afterAWeek}::timestamp`,
  any: () => sql`due_at < 'infinity'`,
} as const;

/** SQL for each condition, over the columns of leads; every one of them can use an index below row-level security. */
export function meetConditions(conditions: LeadConditions, times: DueTimes): RawBuilder<unknown>[] {
  const { status, owner, called, due, followUpOwner } = conditions;
  return [
    ...(status === undefined ? [] : [sql`status_rank = ${statusRankOf(status)}::smallint`]),
    // The group is here for its index.
    ...(owner === undefined
      ? []
      : owner === "none"
        ? [sql`owner_group = ''`, sql`owner_id is null`]
        : [sql`owner_group = ${owner}::uuid::text`, sql`owner_id = ${owner}::uuid`]),
    ...(called === undefined ? [] : [calledIs[called]]),
    ...(due === undefined ? [] : [dueIs[due](times)]),
    ...(followUpOwner === undefined ? [] : [sql`follow_up_user_id = ${followUpOwner}::uuid`]),
  ];
}

/** How many leads match, counted in an index up to `most`. */
export async function countLeadsUpTo(
  tx: Tx,
  {
    organisationId,
    conditions,
    times,
    most,
  }: {
    organisationId: string;
    conditions: LeadConditions;
    times: DueTimes;
    most: number;
  },
): Promise<number> {
  const all = sql.join([sql`organisation_id = ${organisationId}`, ...meetConditions(conditions, times)], sql` and `);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from leads where ${all} limit ${most}) as counted`.execute(tx);
  return rows[0]?.count ?? 0;
}

import type { LimitBreach, LimitName } from "@leadline/contract/limits";
import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";
import type { Caller } from "../limits.table.ts";
import type { Breach } from "./limit-breached.ts";

export interface LimitBreachTable {
  id: Generated<string>;
  organisation_id: string;
  user_id: string;
  day: string;
  limit_name: LimitName;
  is_members: boolean;
  phone_number: string;
  detail: string;
  /** The last call was running, and was ended. */
  ended: Generated<boolean>;
  attempts: Generated<number>;
  last_at: Generated<string>;
  mailed_at: string | null;
}

/** The first breach of the day inserts a row. Later ones are counted on it. */
export async function countBreach(
  tx: Tx,
  { organisationId, userId }: Caller,
  { limit, isMembers, phoneNumber, detail, ended = false }: Breach & { detail: string; ended?: boolean },
): Promise<void> {
  await sql`
    insert into limit_breaches (organisation_id, user_id, day, limit_name, is_members, phone_number, detail, ended)
    select id, ${userId}, (clock_timestamp() at time zone time_zone)::date, ${limit}, ${isMembers}, ${phoneNumber}, ${detail}, ${ended}
    from organisations where id = ${organisationId}
    on conflict (organisation_id, user_id, day, limit_name, is_members) do update set
      attempts = limit_breaches.attempts + 1, last_at = clock_timestamp(),
      phone_number = excluded.phone_number, detail = excluded.detail, ended = excluded.ended`.execute(tx);
}

const userName = sql<string>`users.first_name || ' ' || users.last_name`;

export async function selectBreaches(tx: Tx, organisationId: string): Promise<LimitBreach[]> {
  const rows = await tx
    .selectFrom("limit_breaches")
    .innerJoin("users", "users.id", "limit_breaches.user_id")
    .select([
      "limit_breaches.id",
      "limit_name as limit",
      "is_members as isMembers",
      "user_id as userId",
      userName.as("userName"),
      "phone_number as phoneNumber",
      "detail",
      "ended",
      "attempts",
      "last_at as lastAt",
    ])
    .where("limit_breaches.organisation_id", "=", organisationId)
    .where("last_at", ">", sql<string>`clock_timestamp() - interval '30 days'`)
    .orderBy("last_at", "desc")
    .limit(100)
    .execute();
  return rows;
}

export interface BreachMail {
  breachId: string;
  userId: string;
}

/** Whose calls a breach is about. Null for what all members use up together, since it may be anyone's next call. */
const whose = sql`case when is_members or limit_name not in ('concurrent-calls', 'calls-per-minute', 'daily-spend') then user_id end`;

/** Each owner of each breach that hasn't been mailed on its day. Needs the system scope. */
export async function takeBreachesToMail(tx: Tx): Promise<BreachMail[]> {
  const { rows } = await sql<BreachMail>`
    with taken as (
      update limit_breaches set mailed_at = clock_timestamp() where mailed_at is null returning *
    ),
    firsts as (
      select distinct on (organisation_id, day, limit_name, is_members, ${whose}) *
      from taken where ${whose} is not null or not exists (
        select from limit_breaches mailed where mailed.mailed_at is not null and not mailed.is_members
          and (mailed.organisation_id, mailed.day, mailed.limit_name) = (taken.organisation_id, taken.day, taken.limit_name)
      )
      order by organisation_id, day, limit_name, is_members, ${whose}, last_at
    )
    select firsts.id as "breachId", memberships.user_id as "userId"
    from firsts join memberships on memberships.organisation_id = firsts.organisation_id
    where memberships.role = 'owner'`.execute(tx);
  return rows;
}

/** Null if the person no longer owns the organisation. */
export async function findBreachMail(tx: Tx, { breachId, userId }: BreachMail) {
  const row = await tx
    .selectFrom("limit_breaches")
    .innerJoin("organisations", "organisations.id", "limit_breaches.organisation_id")
    .innerJoin("memberships", "memberships.organisation_id", "limit_breaches.organisation_id")
    .innerJoin("users as owner", "owner.id", "memberships.user_id")
    .innerJoin("users", "users.id", "limit_breaches.user_id")
    .select([
      "owner.email",
      "owner.first_name as firstName",
      "organisations.name as organisationName",
      userName.as("memberName"),
      "limit_breaches.phone_number as phoneNumber",
      "limit_breaches.detail",
      "limit_breaches.ended",
    ])
    .where("limit_breaches.id", "=", breachId)
    .where("memberships.user_id", "=", userId)
    .where("memberships.role", "=", "owner")
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteOldBreaches(tx: Tx): Promise<void> {
  await sql`delete from limit_breaches where last_at < clock_timestamp() - interval '30 days'`.execute(tx);
}

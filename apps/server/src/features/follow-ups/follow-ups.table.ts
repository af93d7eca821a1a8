import { maxCallLeads } from "@leadline/contract/call-lead";
import type { FollowUp } from "@leadline/contract/follow-ups";
import { sql } from "kysely";
import { formerMember } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";
import { noFollowUp, type StoredFollowUp } from "./stored-follow-up.ts";

export interface FollowUpTable {
  organisation_id: string;
  /** E.164. */
  phone_number: string;
  /** A calendar day: 2026-03-29. */
  follow_up_on: string;
  /** In the organisation's time zone. */
  follow_up_time: string | null;
  follow_up_user_id: string | null;
}

const columnsOf = ({ day, time, ownerId }: StoredFollowUp) => ({
  follow_up_on: day,
  follow_up_time: time,
  follow_up_user_id: ownerId,
});

interface NumberKey {
  organisationId: string;
  phoneNumber: string;
}

/** The only lead with this number; null if there is none, or several. */
export async function findOnlyLead(tx: Tx, key: NumberKey): Promise<string | null> {
  const [lead, another] = await tx
    .selectFrom("leads")
    .select("id")
    .where("organisation_id", "=", key.organisationId)
    .where("phone_number", "=", key.phoneNumber)
    .limit(2)
    .execute();
  return lead && !another ? lead.id : null;
}

export async function setFollowUpOfLead(
  tx: Tx,
  key: { organisationId: string; leadId: string },
  followUp: StoredFollowUp,
): Promise<void> {
  await tx
    .updateTable("leads")
    .set({ ...columnsOf(followUp), updated_at: sql<string>`clock_timestamp()` })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.leadId)
    .execute();
}

export async function setFollowUpOfNumber(tx: Tx, key: NumberKey, followUp: StoredFollowUp): Promise<void> {
  const { organisationId: organisation_id, phoneNumber: phone_number } = key;
  const { day } = followUp;
  if (day === null) {
    await tx
      .deleteFrom("follow_ups")
      .where("organisation_id", "=", organisation_id)
      .where("phone_number", "=", phone_number)
      .execute();
    return;
  }
  const set = { ...columnsOf(followUp), follow_up_on: day };
  await tx
    .insertInto("follow_ups")
    .values({ organisation_id, phone_number, ...set })
    .onConflict((conflict) => conflict.columns(["organisation_id", "phone_number"]).doUpdateSet(set))
    .execute();
}

/** The follow-up of the only lead with this number, or the number's own. */
export async function findFollowUpOfNumber(tx: Tx, key: NumberKey): Promise<StoredFollowUp> {
  const leadId = await findOnlyLead(tx, key);
  const columns = ["follow_up_on", "follow_up_time", "follow_up_user_id"] as const;
  const row =
    leadId === null
      ? await tx
          .selectFrom("follow_ups")
          .select(columns)
          .where("organisation_id", "=", key.organisationId)
          .where("phone_number", "=", key.phoneNumber)
          .executeTakeFirst()
      : await tx
          .selectFrom("leads")
          .select(columns)
          .where("organisation_id", "=", key.organisationId)
          .where("id", "=", leadId)
          .executeTakeFirst();
  if (row === undefined || row.follow_up_on === null) return noFollowUp;
  return { day: row.follow_up_on, time: row.follow_up_time?.slice(0, 5) ?? null, ownerId: row.follow_up_user_id };
}

/** Whether the member can call back. Analysts can't call. */
export async function canCallBack(tx: Tx, key: { organisationId: string; userId: string }): Promise<boolean> {
  const row = await tx
    .selectFrom("memberships")
    .select("user_id")
    .where("organisation_id", "=", key.organisationId)
    .where("user_id", "=", key.userId)
    .where("role", "<>", "analyst")
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a call, lead or follow-up of the organisation has this number. */
export async function isKnownNumber(tx: Tx, { organisationId, phoneNumber }: NumberKey): Promise<boolean> {
  const { rows } = await sql`
    select from calls where organisation_id = ${organisationId} and phone_number = ${phoneNumber}
    union all select from leads where organisation_id = ${organisationId} and phone_number = ${phoneNumber}
    union all select from follow_ups where organisation_id = ${organisationId} and phone_number = ${phoneNumber}
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** A note is looked for among this many of the last calls. */
const notedCalls = 20;

/** Longest overdue first, those without a time last in their day. A number's callback is hidden by that of its only lead. */
export async function selectFollowUps(
  tx: Tx,
  page: { organisationId: string; ownerId: string | null; until: string | null; limit: number },
): Promise<FollowUp[]> {
  const { organisationId, ownerId, until, limit } = page;
  const { rows } = await sql<FollowUp>`
    with due as (
      (
        select follow_up_on, follow_up_time, follow_up_user_id, phone_number, id as lead_id, first_name, last_name, phone
        from leads
        where organisation_id = ${organisationId} and follow_up_on is not null
          and (${until}::date is null or follow_up_on <= ${until}::date)
          and (${ownerId}::uuid is null or follow_up_user_id = ${ownerId}::uuid)
        order by follow_up_on, follow_up_time, position limit ${limit}
      )
      union all
      (
        select follow_up_on, follow_up_time, follow_up_user_id, phone_number, null, null, null, null from follow_ups
        where organisation_id = ${organisationId} and (${until}::date is null or follow_up_on <= ${until}::date)
          and (${ownerId}::uuid is null or follow_up_user_id = ${ownerId}::uuid)
          and (
            select count(*) filter (where leads.follow_up_on is not null) = 0 or count(*) > 1 from leads
            where leads.organisation_id = follow_ups.organisation_id and leads.phone_number = follow_ups.phone_number
          )
        order by follow_up_on, follow_up_time, phone_number limit ${limit}
      )
    )
    select follow_up_on::text as "followUpOn", left(follow_up_time::text, 5) as "followUpTime",
      case when follow_up_user_id is not null then json_build_object('userId', follow_up_user_id,
        'name', coalesce(owner.first_name || ' ' || owner.last_name, ${formerMember})) end as "followUpOwner",
      due.phone_number as "phoneNumber",
      case when lead_id is not null then json_build_object(
        'id', lead_id, 'firstName', due.first_name, 'lastName', due.last_name, 'phone', due.phone) end as "lead",
      case when lead_id is null then (
        select coalesce(json_agg(json_build_object('id', id, 'firstName', first_name, 'lastName', last_name)), '[]')
        from (
          select id, first_name, last_name from leads
          where leads.organisation_id = ${organisationId} and leads.phone_number = due.phone_number
          order by position desc limit ${maxCallLeads}
        ) as sharing
      ) else '[]' end as "leads",
      coalesce(past.note, '') as note, past.last_call as "lastCall"
    from due
    left join users as owner on owner.id = follow_up_user_id
    left join lateral (
      select (array_agg(json_build_object('callSid', call_sid,
          'createdAt', to_char(made.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          'userName', coalesce(users.first_name || ' ' || users.last_name, ${formerMember}),
          'note', note, 'outcomeName', call_outcomes.name) order by made.id desc))[1] as last_call,
        (array_agg(note order by made.id desc) filter (where note <> ''))[1] as note
      from (
        (
          select * from calls where calls.organisation_id = ${organisationId} and calls.lead_id = due.lead_id
          order by calls.id desc limit ${notedCalls}
        )
        union all
        (
          select * from calls
          where calls.organisation_id = ${organisationId} and calls.phone_number = due.phone_number
            and (due.lead_id is null or calls.lead_id is null)
          order by calls.id desc limit ${notedCalls}
        )
      ) as made
      left join users on users.id = made.user_id
      left join call_outcomes on call_outcomes.id = made.outcome_id
    ) as past on true
    order by follow_up_on, follow_up_time, due.last_name, due.phone_number, lead_id limit ${limit}`.execute(tx);
  return rows;
}

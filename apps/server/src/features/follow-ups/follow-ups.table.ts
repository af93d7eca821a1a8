import { mostCallLeads } from "@leadline/contract/call-lead";
import type { FollowUp } from "@leadline/contract/follow-ups";
import { sql } from "kysely";
import { formerMember } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";

export interface FollowUpTable {
  organisation_id: string;
  /** E.164. */
  phone_number: string;
  /** A calendar day: 2026-03-29. */
  follow_up_on: string;
}

interface NumberKey {
  organisationId: string;
  phoneNumber: string;
}

/** The one lead with this number; null where none has it, or several. */
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
  day: string | null,
): Promise<void> {
  await tx
    .updateTable("leads")
    .set({ follow_up_on: day, updated_at: sql<string>`clock_timestamp()` })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.leadId)
    .execute();
}

export async function setFollowUpOfNumber(tx: Tx, key: NumberKey, day: string | null): Promise<void> {
  const { organisationId: organisation_id, phoneNumber: phone_number } = key;
  if (day === null) {
    await tx
      .deleteFrom("follow_ups")
      .where("organisation_id", "=", organisation_id)
      .where("phone_number", "=", phone_number)
      .execute();
    return;
  }
  await tx
    .insertInto("follow_ups")
    .values({ organisation_id, phone_number, follow_up_on: day })
    .onConflict((conflict) => conflict.columns(["organisation_id", "phone_number"]).doUpdateSet({ follow_up_on: day }))
    .execute();
}

/** Whether a call, a lead or a follow-up of the organisation has it. */
export async function isKnownNumber(tx: Tx, { organisationId, phoneNumber }: NumberKey): Promise<boolean> {
  const { rows } = await sql`
    select from calls where organisation_id = ${organisationId} and phone_number = ${phoneNumber}
    union all select from leads where organisation_id = ${organisationId} and phone_number = ${phoneNumber}
    union all select from follow_ups where organisation_id = ${organisationId} and phone_number = ${phoneNumber}
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** Among so many of the last calls a note is looked for. */
const notedCalls = 20;

/** The longest due first. A number's own day gives way to that of the one lead it belongs to. */
export async function selectFollowUps(
  tx: Tx,
  page: { organisationId: string; until: string | null; limit: number },
): Promise<FollowUp[]> {
  const { organisationId, until, limit } = page;
  const { rows } = await sql<FollowUp>`
    with due as (
      (
        select follow_up_on, phone_number, id as lead_id, first_name, last_name, phone from leads
        where organisation_id = ${organisationId} and follow_up_on is not null
          and (${until}::date is null or follow_up_on <= ${until}::date)
        order by follow_up_on, position limit ${limit}
      )
      union all
      (
        select follow_up_on, phone_number, null, null, null, null from follow_ups
        where organisation_id = ${organisationId} and (${until}::date is null or follow_up_on <= ${until}::date)
          and (
            select count(*) filter (where leads.follow_up_on is not null) = 0 or count(*) > 1 from leads
            where leads.organisation_id = follow_ups.organisation_id and leads.phone_number = follow_ups.phone_number
          )
        order by follow_up_on, phone_number limit ${limit}
      )
    )
    select follow_up_on::text as "followUpOn", due.phone_number as "phoneNumber",
      case when lead_id is not null then json_build_object(
        'id', lead_id, 'firstName', due.first_name, 'lastName', due.last_name, 'phone', phone) end as "lead",
      case when lead_id is null then (
        select coalesce(json_agg(json_build_object('id', id, 'firstName', first_name, 'lastName', last_name)), '[]')
        from (
          select id, first_name, last_name from leads
          where leads.organisation_id = ${organisationId} and leads.phone_number = due.phone_number
          order by position desc limit ${mostCallLeads}
        ) as sharing
      ) else '[]' end as "leads",
      coalesce(past.note, '') as note, past.last_call as "lastCall"
    from due
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
    order by follow_up_on, due.last_name, due.phone_number, lead_id limit ${limit}`.execute(tx);
  return rows;
}

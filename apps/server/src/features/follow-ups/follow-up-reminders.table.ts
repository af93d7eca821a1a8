import { type Generated, type GeneratedAlways, type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Pending reminders: triggers on leads and follow_ups write them, delivering one deletes it. */
export interface FollowUpReminderTable {
  id: GeneratedAlways<number>;
  organisation_id: string;
  /** Exactly one of the two is set. */
  lead_id: string | null;
  phone_number: string | null;
  user_id: string;
  remind_on: string;
  /** In the organisation's time zone. */
  remind_at: string;
  created_at: Generated<string>;
}

/** Computed rather than stored, since the time zone may change while a reminder is pending. */
const moment = sql`((remind_on + remind_at) at time zone organisations.time_zone)`;
/** In the easternmost time zone a day begins 14 hours before it does in UTC. */
const mayBeDue = sql`remind_on <= (clock_timestamp() at time zone 'UTC')::date + 1`;

/** A number's callback is hidden by that of its only lead, as in the list of callbacks. */
const isOfNoLead = (number: RawBuilder<unknown>, organisationId: string) => sql`(
  select count(*) filter (where leads.follow_up_on is not null) = 0 or count(*) > 1 from leads
  where leads.organisation_id = ${organisationId} and leads.phone_number = ${number}
)`;

export async function selectOrganisationsWithDueReminders(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct organisations.id
    from follow_up_reminders join organisations on organisations.id = follow_up_reminders.organisation_id
    where ${mayBeDue} and ${moment} <= clock_timestamp()
    order by organisations.id`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface DueReminder {
  userId: string;
  leadId: string | null;
  phoneNumber: string | null;
  /** Empty without a lead. */
  name: string;
  followUpTime: string | null;
  isPresent: boolean;
}

interface TakeDueReminders {
  organisationId: string;
  presentUserIds: readonly string[];
  /** How long to wait for someone without an open tab. */
  awayMs: number;
}

/**
 * Deletes and returns the reminders to deliver now: of users who are present, and of users who have been away for a
 * while. Reminders of former members and analysts, and of a time already past when it was set, are deleted without
 * delivery.
 */
export async function takeDueReminders(tx: Tx, options: TakeDueReminders): Promise<DueReminder[]> {
  const { organisationId, presentUserIds, awayMs } = options;
  const { rows } = await sql<DueReminder>`
    with due as (
      select follow_up_reminders.id, user_id = any(${presentUserIds}::uuid[]) as is_present,
        ${moment} > follow_up_reminders.created_at and exists (
          select from memberships
          where memberships.organisation_id = ${organisationId} and memberships.user_id = follow_up_reminders.user_id
            and memberships.role <> 'analyst'
        ) and (follow_up_reminders.phone_number is null or ${isOfNoLead(sql`follow_up_reminders.phone_number`, organisationId)}) as is_wanted
      from follow_up_reminders join organisations on organisations.id = follow_up_reminders.organisation_id
      where follow_up_reminders.organisation_id = ${organisationId} and ${mayBeDue} and ${moment} <= clock_timestamp()
        and (user_id = any(${presentUserIds}::uuid[])
          or ${moment} <= clock_timestamp() - make_interval(secs => ${awayMs}::double precision / 1000)
          or ${moment} <= follow_up_reminders.created_at)
      order by remind_on, remind_at, follow_up_reminders.id
      for update of follow_up_reminders skip locked
    ),
    taken as (
      delete from follow_up_reminders using due where follow_up_reminders.id = due.id
      returning follow_up_reminders.*, due.is_present, due.is_wanted
    )
    select taken.user_id as "userId", taken.lead_id as "leadId",
      coalesce(taken.phone_number, leads.phone_number) as "phoneNumber",
      coalesce(leads.first_name || ' ' || leads.last_name, '') as name,
      left(coalesce(leads.follow_up_time, follow_ups.follow_up_time)::text, 5) as "followUpTime",
      taken.is_present as "isPresent"
    from taken
    left join leads on leads.organisation_id = taken.organisation_id and leads.id = taken.lead_id
    left join follow_ups on follow_ups.organisation_id = taken.organisation_id
      and follow_ups.phone_number = taken.phone_number
    where taken.is_wanted
    order by taken.remind_on, taken.remind_at, taken.id`.execute(tx);
  return rows;
}

interface MailedFollowUps {
  organisationId: string;
  userId: string;
  leadIds: string[];
  phoneNumbers: string[];
}

interface FollowUpsMail {
  email: string;
  firstName: string;
  organisationName: string;
  timeZone: string;
  followUps: { name: string; phoneNumber: string | null; followUpTime: string | null }[];
}

/** Without callbacks that are done or reassigned by now. Null if the person has left. */
export async function findMailedFollowUps(tx: Tx, mailed: MailedFollowUps): Promise<FollowUpsMail | null> {
  const { organisationId, userId, leadIds, phoneNumbers } = mailed;
  const person = await tx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .innerJoin("organisations", "organisations.id", "memberships.organisation_id")
    .select([
      "users.email",
      "users.first_name as firstName",
      "organisations.name as organisationName",
      "organisations.time_zone as timeZone",
    ])
    .where("memberships.organisation_id", "=", organisationId)
    .where("memberships.user_id", "=", userId)
    .executeTakeFirst();
  if (!person) return null;
  const { rows } = await sql<FollowUpsMail["followUps"][number]>`
    select name, phone_number as "phoneNumber", left(follow_up_time::text, 5) as "followUpTime" from (
      select first_name || ' ' || last_name as name, phone_number, follow_up_on, follow_up_time from leads
      where organisation_id = ${organisationId} and id = any(${leadIds}::uuid[]) and follow_up_user_id = ${userId}
      union all
      select '', phone_number, follow_up_on, follow_up_time from follow_ups
      where organisation_id = ${organisationId} and phone_number = any(${phoneNumbers}::text[])
        and follow_up_user_id = ${userId} and ${isOfNoLead(sql`follow_ups.phone_number`, organisationId)}
    ) as still_due
    where (follow_up_on + coalesce(follow_up_time, time '00:00')) at time zone ${person.timeZone} <= clock_timestamp()
    order by follow_up_on, follow_up_time, name`.execute(tx);
  return { ...person, followUps: rows };
}

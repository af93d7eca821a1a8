import { maxCallLeads } from "@leadline/contract/call-lead";
import type { Call } from "@leadline/contract/calls";
import type { FollowUpFields } from "@leadline/contract/follow-up-fields";
import { sql } from "kysely";
import { formerMember } from "../../../db/person-name.ts";

/** The row's own lead or, without one, the leads with its number, up to as many as a page shows. */
const leadsOf = (table: "calls" | "call_transfers") => {
  const row = sql.table(table);
  return sql<Call["leads"] | null>`(
  select json_agg(json_build_object('id', id, 'firstName', first_name, 'lastName', last_name, 'status', status)
    order by position desc)
  from (
    select id, first_name, last_name, status, position from leads
    where leads.organisation_id = ${row}.organisation_id and leads.id = ${row}.lead_id
    union all (
      select id, first_name, last_name, status, position from leads
      where ${row}.lead_id is null
        and leads.organisation_id = ${row}.organisation_id and leads.phone_number = ${row}.phone_number
      order by position desc limit ${sql.lit(maxCallLeads)}
    )
  ) as own)`;
};
export const leadsOfCall = leadsOf("calls");
export const leadsOfTransfer = leadsOf("call_transfers");

const followUpIn = (table: "leads" | "follow_ups") => {
  const ownerId = sql.ref(`${table}.follow_up_user_id`);
  return sql`case when follow_up_on is not null then json_build_object(
    'followUpOn', follow_up_on, 'followUpTime', left(follow_up_time::text, 5),
    'followUpOwner', case when ${ownerId} is not null then json_build_object('userId', ${ownerId},
      'name', coalesce((select first_name || ' ' || last_name from users where users.id = ${ownerId}),
        ${sql.lit(formerMember)})) end) end`;
};
/** Null if no callback is set. */
export const followUpOfCall = sql<FollowUpFields | null>`(case when calls.lead_id is null then coalesce(
  (select (array_agg(${followUpIn("leads")}))[1] from leads
    where leads.organisation_id = calls.organisation_id and leads.phone_number = calls.phone_number
    having count(*) = 1),
  (select ${followUpIn("follow_ups")} from follow_ups
    where follow_ups.organisation_id = calls.organisation_id and follow_ups.phone_number = calls.phone_number)
) else (
  select ${followUpIn("leads")} from leads
  where leads.organisation_id = calls.organisation_id and leads.id = calls.lead_id
) end)`;

interface Called {
  organisationId: string;
  phoneNumber: string;
}

/** The lead that has the number, if exactly one does and the request names none. */
export const onlyLeadWithNumber = ({ organisationId, phoneNumber }: Called) => sql<string | null>`(
  select (array_agg(id))[1] from leads
  where leads.organisation_id = ${organisationId} and leads.phone_number = ${phoneNumber} having count(*) = 1)`;

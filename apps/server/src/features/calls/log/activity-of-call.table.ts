import type { Call } from "@leadline/contract/calls";
import { sql } from "kysely";

/** Whether the call was logged in its lead's CRM. Null if its lead is from none, and wasn't when it was logged. */
export const activityOfCall = sql<Call["activity"]>`coalesce((
  select json_build_object('state', activity.state, 'service', integrations.service, 'url', activity.url,
    'problem', activity.problem)
  from call_activities as activity left join integrations on integrations.id = activity.integration_id
  where activity.call_sid = calls.call_sid
), case when calls.was_logged then json_build_object('state', 'written', 'service', null, 'url', null, 'problem', null) end)`;

/** A subquery, so that the index finds these few calls, some of which may be old. */
export const isToSort = (organisationId: string) => sql<boolean>`calls.call_sid in (
  select call_sid from call_activities where organisation_id = ${organisationId} and state = 'to-sort')`;

import type { Call } from "@leadline/contract/calls";
import { sql } from "kysely";

/** What became of writing it to the CRM that its lead is from; null where that is none. */
export const activityOfCall = sql<Call["activity"]>`(
  select json_build_object('state', activity.state, 'service', integrations.service, 'url', activity.url,
    'problem', activity.problem)
  from call_activities as activity left join integrations on integrations.id = activity.integration_id
  where activity.call_sid = calls.call_sid)`;

/** A subquery, so that the index finds these few, possibly old, calls. */
export const isToSort = (organisationId: string) => sql<boolean>`calls.call_sid in (
  select call_sid from call_activities where organisation_id = ${organisationId} and state = 'to-sort')`;

import type { CallStatus } from "@leadline/contract/call-state";
import { liveStatuses } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { selectCalls, type StoredCall, toStoredCall } from "./calls.table.ts";

export interface CallFilter {
  live?: boolean | undefined;
  direction?: Call["direction"] | undefined;
  status?: CallStatus | undefined;
  answered?: boolean | undefined;
  userId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  outcomeId?: string | undefined;
  /** A whole E.164 number, or digits somewhere in one. */
  number?: { whole: string } | { part: string } | undefined;
  /** Calls with these numbers, or with a number of a lead whose search text holds every LIKE pattern. */
  person?: { numbers: readonly string[] } | { patterns: readonly string[] } | undefined;
}

const hasLeadLike = (patterns: readonly string[]) => sql<boolean>`exists (
  select from leads
  where leads.organisation_id = calls.organisation_id and leads.phone_number = calls.phone_number
    and leads.search like all (${[...patterns]}::text[]))`;

/** Newest first, before the given call. */
export async function selectCallPage(
  tx: Tx,
  page: { organisationId: string; limit: number; before: string | undefined; filter: CallFilter },
): Promise<StoredCall[]> {
  const { organisationId, limit, before, filter } = page;
  let query = selectCalls(tx).where("calls.organisation_id", "=", organisationId);
  if (filter.live !== undefined) query = query.where("status", filter.live ? "in" : "not in", liveStatuses);
  if (filter.direction) query = query.where("direction", "=", filter.direction);
  if (filter.status) query = query.where("status", "=", filter.status);
  if (filter.answered !== undefined)
    query = query.where("ended_at", "is not", null).where("answered_at", filter.answered ? "is not" : "is", null);
  if (filter.userId) query = query.where("calls.user_id", "=", filter.userId);
  if (filter.from) query = query.where("calls.created_at", ">=", filter.from);
  if (filter.to) query = query.where("calls.created_at", "<", filter.to);
  if (filter.outcomeId === "none") query = query.where("outcome_id", "is", null);
  else if (filter.outcomeId) query = query.where("outcome_id", "=", filter.outcomeId);
  if (filter.number && "whole" in filter.number) query = query.where("phone_number", "=", filter.number.whole);
  else if (filter.number) query = query.where("phone_number", "like", `%${filter.number.part}%`);
  if (filter.person && "numbers" in filter.person)
    query = query.where(sql<boolean>`phone_number = any (${[...filter.person.numbers]}::text[])`);
  else if (filter.person) query = query.where(hasLeadLike(filter.person.patterns));
  if (before !== undefined)
    query = query.where("calls.id", "<", (inner) =>
      inner.selectFrom("calls as earlier").select("earlier.id").where("earlier.call_sid", "=", before),
    );
  const rows = await query.orderBy("calls.id", "desc").limit(limit).execute();
  return rows.map(toStoredCall);
}

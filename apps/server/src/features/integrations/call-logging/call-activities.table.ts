import type { CrmCall } from "@leadline/adapter-kit/crm";
import { type Generated, type RawBuilder, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";
import { type DueWrite, noteWritten, type OutboxColumns } from "../outbox/outbox.table.ts";

/** Inserted by the trigger on calls (migration 0061) when a call ends or its note or outcome changes. */
export interface CallActivityTable extends OutboxColumns {
  call_sid: string;
  lead_id: string | null;
  integration_id: string | null;
  state: "to-sort" | "waiting" | "written" | "failed";
  external_id: string | null;
  url: string | null;
  /** An earlier row of the call may have been written. */
  may_exist: Generated<boolean>;
}
export interface LeadChoiceTable {
  organisation_id: string;
  phone_number: string;
  lead_id: string;
}

export type StoredCrmCall = Omit<CrmCall, "link" | "leadExternalId"> & {
  leadId: string;
  /** Null if the lead has left the CRM. */
  leadExternalId: string | null;
  mayExist: boolean;
  /** The activity's external id. Null until it is known to exist in the CRM. */
  writtenAs: string | null;
};

/**
 * Decides again about calls of the last ten minutes without an activity: one that ended while a transaction was giving
 * its lead a record or a number saw neither, and wasn't seen by it. As the triggers on leads do.
 */
export async function insertMissedActivities(tx: Tx): Promise<void> {
  const hasLead = (whose: RawBuilder<unknown>) => sql`exists (
    select from leads join integrations on integrations.id = leads.integration_id
    where leads.organisation_id = recent.organisation_id and ${whose} and integrations.created_at <= recent.ended_at)`;
  await sql`
    select insert_call_activity(calls, true) from calls where call_sid in (
      select call_sid from calls as recent
      where recent.ended_at > statement_timestamp() - interval '10 minutes'
        and not exists (select from call_activities where call_activities.call_sid = recent.call_sid)
        and case when recent.lead_id is null then ${hasLead(sql`leads.phone_number = recent.phone_number`)}
          else ${hasLead(sql`leads.id = recent.lead_id`)} end)`.execute(tx);
}

/** The call's current state. Null if the call or its lead is gone. */
export async function readCrmCall(tx: Tx, callSid: string): Promise<StoredCrmCall | null> {
  const row = await tx
    .selectFrom("call_activities as activity")
    .innerJoin("calls", "calls.call_sid", "activity.call_sid")
    .innerJoin("leads", "leads.id", "activity.lead_id")
    .innerJoin("organisations", "organisations.id", "activity.organisation_id")
    .leftJoin("users", "users.id", "calls.user_id")
    .leftJoin("call_outcomes", "call_outcomes.id", "calls.outcome_id")
    .select([
      "leads.id as lead_id",
      sql<string | null>`case when leads.integration_id = activity.integration_id then leads.external_id end`.as(
        "lead_external_id",
      ),
      "activity.external_id as written_as",
      "activity.may_exist",
      "calls.direction",
      "calls.phone_number",
      "calls.created_at",
      sql<string>`to_char(calls.created_at at time zone organisations.time_zone, 'YYYY-MM-DD')`.as("started_on"),
      "calls.answered_at",
      "calls.duration_ms",
      "calls.note",
      "call_outcomes.name as outcome",
      "users.first_name",
      "users.last_name",
    ])
    .where("activity.call_sid", "=", callSid)
    .executeTakeFirst();
  if (!row) return null;
  return {
    callSid,
    leadId: row.lead_id,
    writtenAs: row.written_as,
    mayExist: row.may_exist,
    leadExternalId: row.lead_external_id,
    direction: row.direction,
    phoneNumber: row.phone_number,
    startedAt: row.created_at,
    startedOn: row.started_on,
    wasAnswered: row.answered_at !== null,
    seconds: Math.round(row.duration_ms / 1_000),
    outcome: row.outcome ?? "",
    note: row.note,
    rep: [row.first_name, row.last_name].filter(Boolean).join(" "),
  };
}

/** A call that has changed since it was read is due again at once. */
export async function noteCallWritten(
  tx: Tx,
  due: DueWrite,
  written: { externalId: string; url: string | null },
): Promise<void> {
  await tx
    .updateTable("call_activities")
    .set({ external_id: written.externalId, ...(written.url !== null && { url: written.url }) })
    .where("call_sid", "=", due.key)
    .execute();
  await noteWritten(tx, "call_activities", due);
}

/** Not in the CRM yet: they wait, or were refused. */
export async function countUnwrittenCalls(
  tx: Tx,
  { organisationId, integrationId }: { organisationId: string; integrationId: string },
): Promise<number> {
  const { count } = await tx
    .selectFrom("call_activities")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("organisation_id", "=", organisationId)
    .where("integration_id", "=", integrationId)
    .where("state", "in", ["waiting", "failed"])
    .executeTakeFirstOrThrow();
  return count;
}

interface OfCall {
  organisationId: string;
  callSid: string;
}

/**
 * Null unless the call belongs to a lead only by its number, not because it was placed from that lead, and has an
 * activity or a number that several leads have.
 */
export async function findCallNeedingLead(
  tx: Tx,
  { organisationId, callSid }: OfCall,
): Promise<{ phoneNumber: string } | null> {
  const row = await tx
    .selectFrom("calls")
    .leftJoin("call_activities as activity", "activity.call_sid", "calls.call_sid")
    .select("calls.phone_number as phoneNumber")
    .where("calls.organisation_id", "=", organisationId)
    .where("calls.call_sid", "=", callSid)
    .where("calls.lead_id", "is", null)
    .where(
      sql<boolean>`(activity.call_sid is not null or 1 < (
        select count(*) from leads
        where leads.organisation_id = calls.organisation_id and leads.phone_number = calls.phone_number))`,
    )
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Assigns calls with this number to this lead, including ones that haven't been logged yet. Calls that may already be
 * in a CRM stay with their lead. Returns the changed calls. Nothing is logged for a lead that isn't from a CRM; the call
 * on which another is chosen then is logged after all. Null if the lead doesn't have this number.
 */
export async function chooseLead(
  tx: Tx,
  { organisationId, callSid, phoneNumber, leadId }: OfCall & { phoneNumber: string; leadId: string },
): Promise<string[] | null> {
  const lead = await tx
    .selectFrom("leads")
    .select("integration_id")
    .where("organisation_id", "=", organisationId)
    .where("id", "=", leadId)
    .where("phone_number", "=", phoneNumber)
    .executeTakeFirst();
  if (!lead) return null;
  await tx
    .insertInto("lead_choices")
    .values({ organisation_id: organisationId, phone_number: phoneNumber, lead_id: leadId })
    .onConflict((conflict) => conflict.columns(["organisation_id", "phone_number"]).doUpdateSet({ lead_id: leadId }))
    .execute();
  const withNumber = tx
    .selectFrom("calls")
    .select("call_sid")
    .where("organisation_id", "=", organisationId)
    .where("phone_number", "=", phoneNumber)
    .where("lead_id", "is", null)
    .where("logged_for", "is", null);
  const untried = sql<boolean>`state in ('to-sort', 'waiting') and tries = 0 and external_id is null`;
  const rows =
    lead.integration_id === null
      ? await tx
          .deleteFrom("call_activities")
          .where("organisation_id", "=", organisationId)
          .where("call_sid", "in", withNumber)
          .where(untried)
          .returning("call_sid")
          .execute()
      : await tx
          .updateTable("call_activities")
          .set({
            lead_id: leadId,
            integration_id: lead.integration_id,
            state: "waiting",
            due_at: sql<string>`clock_timestamp()`,
          })
          .where("organisation_id", "=", organisationId)
          .where("call_sid", "in", withNumber)
          .where(untried)
          .returning("call_sid")
          .execute();
  const changed = rows.map((row) => row.call_sid);
  return (await insertActivity(tx, { organisationId, callSid })) ? [...changed, callSid] : changed;
}

/** By the rules of the trigger on calls, if the call has ended and has none. Returns whether it has one now. */
async function insertActivity(tx: Tx, { organisationId, callSid }: OfCall): Promise<boolean> {
  const mayExist = true;
  const { rows } = await sql`
    select insert_call_activity(calls, ${mayExist}) from calls
    where organisation_id = ${organisationId} and call_sid = ${callSid} and ended_at is not null
      and not exists (select from call_activities where call_activities.call_sid = calls.call_sid)`.execute(tx);
  if (rows.length === 0) return false;
  const activity = tx.selectFrom("call_activities").select("call_sid").where("call_sid", "=", callSid);
  return (await activity.where("organisation_id", "=", organisationId).executeTakeFirst()) !== undefined;
}

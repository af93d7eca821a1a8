import type { CrmCall } from "@leadline/adapter-kit/crm";
import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

/** Inserted by the trigger on calls (migration 0004) when a call ends or its note or outcome changes. */
export interface CallActivityTable {
  call_sid: string;
  organisation_id: string;
  lead_id: string | null;
  integration_id: string | null;
  state: "to-sort" | "waiting" | "written" | "failed";
  version: Generated<number>;
  external_id: string | null;
  url: string | null;
  problem: string | null;
  tries: Generated<number>;
  due_at: Generated<string>;
  created_at: Generated<string>;
}
export interface LeadChoiceTable {
  organisation_id: string;
  phone_number: string;
  lead_id: string;
}

/** An activity leased to this worker. */
export interface DueActivity {
  callSid: string;
  organisationId: string;
  integrationId: string;
  version: number;
  /** Null until it is known to exist in the CRM. */
  externalId: string | null;
  /** Including this one. */
  tries: number;
}

interface Whose {
  organisationId?: string | undefined;
  integrationId?: string | undefined;
}

const isDue = sql<boolean>`due.state = 'waiting' and due.due_at <= clock_timestamp()`;

/** Connected integrations with due activities, up to `most`, without those in `except`. */
export async function selectIntegrationsWithDueCalls(
  tx: Tx,
  { most, except, organisationId }: Pick<Whose, "organisationId"> & { most: number; except: readonly string[] },
): Promise<string[]> {
  const rows = await tx
    .selectFrom("integrations")
    .select("id")
    .where("status", "=", "active")
    .where("problem", "is", null)
    .where(sql<boolean>`id <> all(${except}::uuid[])`)
    .where(sql<boolean>`exists (
      select from call_activities as due where due.integration_id = integrations.id and ${isDue})`)
    .$if(organisationId !== undefined, (query) => query.where("organisation_id", "=", organisationId ?? ""))
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** The activities due longest, of connected integrations: all of them, an organisation's, or one. */
export async function takeDueActivities(
  tx: Tx,
  { most, leaseMs, organisationId, integrationId }: Whose & { most: number; leaseMs: number },
): Promise<DueActivity[]> {
  const due = tx
    .selectFrom("call_activities as due")
    .innerJoin("integrations", "integrations.id", "due.integration_id")
    .select("due.call_sid")
    .where(isDue)
    .where("integrations.status", "=", "active")
    .where("integrations.problem", "is", null)
    .$if(organisationId !== undefined, (query) => query.where("due.organisation_id", "=", organisationId ?? ""))
    .$if(integrationId !== undefined, (query) => query.where("due.integration_id", "=", integrationId ?? ""))
    .orderBy("due.due_at")
    .limit(most)
    .forUpdate("due")
    .skipLocked();
  const rows = await tx
    .updateTable("call_activities")
    .set({ tries: sql<number>`tries + 1`, due_at: inMs(leaseMs) })
    .where("call_sid", "in", due)
    .returning(["call_sid", "organisation_id", "integration_id", "version", "external_id", "tries"])
    .execute();
  return rows.map((row) => ({
    callSid: row.call_sid,
    organisationId: row.organisation_id,
    integrationId: row.integration_id ?? "",
    version: row.version,
    externalId: row.external_id,
    tries: row.tries,
  }));
}

const inMs = (ms: number) => sql<string>`clock_timestamp() + ${Math.round(ms)} * interval '1 millisecond'`;

/** The call's current state. Null if the call, its lead or its end is gone. */
export async function readCrmCall(
  tx: Tx,
  callSid: string,
): Promise<(Omit<CrmCall, "link"> & { leadId: string }) | null> {
  const row = await tx
    .selectFrom("call_activities as activity")
    .innerJoin("calls", "calls.call_sid", "activity.call_sid")
    .innerJoin("leads", "leads.id", "activity.lead_id")
    .leftJoin("users", "users.id", "calls.user_id")
    .leftJoin("call_outcomes", "call_outcomes.id", "calls.outcome_id")
    .select([
      "leads.id as lead_id",
      "leads.external_id",
      "calls.direction",
      "calls.phone_number",
      "calls.created_at",
      "calls.answered_at",
      "calls.duration_ms",
      "calls.note",
      "call_outcomes.name as outcome",
      "users.first_name",
      "users.last_name",
    ])
    .where("activity.call_sid", "=", callSid)
    .executeTakeFirst();
  if (!row || row.external_id === null) return null;
  return {
    callSid,
    leadId: row.lead_id,
    leadExternalId: row.external_id,
    direction: row.direction,
    phoneNumber: row.phone_number,
    startedAt: row.created_at,
    wasAnswered: row.answered_at !== null,
    seconds: Math.round(row.duration_ms / 1_000),
    outcome: row.outcome ?? "",
    note: row.note,
    rep: [row.first_name, row.last_name].filter(Boolean).join(" "),
  };
}

/** A call that has changed since it was read is due again at once. */
export async function noteWritten(
  tx: Tx,
  { callSid, version }: DueActivity,
  written: { externalId: string; url: string | null },
): Promise<void> {
  await tx
    .updateTable("call_activities")
    .set({
      external_id: written.externalId,
      ...(written.url !== null && { url: written.url }),
      problem: null,
      tries: 0,
      state: sql<"written">`case when version = ${version} then 'written' else 'waiting' end`,
      due_at: inMs(0),
    })
    .where("call_sid", "=", callSid)
    .execute();
}

/** afterMs null: not retried automatically. */
export async function noteTrouble(
  tx: Tx,
  { callSid, version }: DueActivity,
  { problem, afterMs }: { problem: string; afterMs: number | null },
): Promise<void> {
  const later = { due_at: inMs(afterMs ?? 0) };
  const failed = { state: sql<"failed">`case when version = ${version} then 'failed' else 'waiting' end` };
  await tx
    .updateTable("call_activities")
    .set({ problem, ...later, ...(afterMs === null && failed) })
    .where("call_sid", "=", callSid)
    .execute();
}

/** The CRM doesn't accept calls, or the lead is no longer from a CRM. */
export async function dropActivity(tx: Tx, { callSid }: DueActivity): Promise<void> {
  await tx.deleteFrom("call_activities").where("call_sid", "=", callSid).execute();
}

interface OfCall {
  organisationId: string;
  callSid: string;
}

/** False if no failed one exists. */
export async function retryFailed(tx: Tx, { organisationId, callSid }: OfCall): Promise<boolean> {
  const updated = await tx
    .updateTable("call_activities")
    .set({ state: "waiting", due_at: inMs(0) })
    .where("organisation_id", "=", organisationId)
    .where("call_sid", "=", callSid)
    .where("state", "=", "failed")
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/**
 * Null unless the call has an activity and belongs to a lead only by its number, not because it was placed from that
 * lead.
 */
export async function findSortable(
  tx: Tx,
  { organisationId, callSid }: OfCall,
): Promise<{ phoneNumber: string } | null> {
  const row = await tx
    .selectFrom("call_activities as activity")
    .innerJoin("calls", "calls.call_sid", "activity.call_sid")
    .select("calls.phone_number as phoneNumber")
    .where("activity.organisation_id", "=", organisationId)
    .where("activity.call_sid", "=", callSid)
    .where("calls.lead_id", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Assigns calls with this number to this lead, including ones that haven't been logged yet. Calls that may already be
 * in a CRM stay with their lead. Returns the changed calls. Nothing is logged for a lead that isn't from a CRM. Null if
 * the lead doesn't have this number.
 */
export async function chooseLead(
  tx: Tx,
  { organisationId, phoneNumber, leadId }: { organisationId: string; phoneNumber: string; leadId: string },
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
    .where("lead_id", "is", null);
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
          .set({ lead_id: leadId, integration_id: lead.integration_id, state: "waiting", due_at: inMs(0) })
          .where("organisation_id", "=", organisationId)
          .where("call_sid", "in", withNumber)
          .where(untried)
          .returning("call_sid")
          .execute();
  return rows.map((row) => row.call_sid);
}

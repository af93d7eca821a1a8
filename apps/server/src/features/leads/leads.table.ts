import { formerMember } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";
import type { Lead, LeadStatus } from "@leadline/contract/leads";
import type { Role } from "@leadline/contract/organisations";
import { seeRemovedLeads } from "../../db/see-removed-leads.ts";
import { type ColumnType, type Generated, type GeneratedAlways, type Selectable, sql } from "kysely";

/** The text columns that a CRM fills in. */
export const crmColumns = ["first_name", "last_name", "email", "phone", "company", "job_title", "next_step"] as const;
export type CrmColumn = (typeof crmColumns)[number];

export interface LeadTable {
  id: Generated<string>;
  /** Grows with time: the key that lists page by. */
  position: GeneratedAlways<number>;
  organisation_id: string;
  /** The CRM integration it came from, and its id there. Both or neither. */
  integration_id: string | null;
  external_id: string | null;
  /** For a detached lead: its former CRM account, and its id there. Both or neither. */
  former_account: string | null;
  former_external_id: string | null;
  first_name: string;
  last_name: string;
  email: string;
  /** As written by a person or a CRM. */
  phone: string;
  /** In E.164. Null if it isn't a number. */
  phone_number: string | null;
  company: Generated<string>;
  job_title: Generated<string>;
  /** The record's page in the CRM. Unused once the lead is detached. */
  crm_url: string | null;
  /** Further fields in the integration's mapping, in its order. */
  crm_fields: ColumnType<Lead["customFields"], never, never>;
  /** By column that the team changed: the CRM's last value (migration 0047). A trigger and the upsert keep it. */
  crm_values: ColumnType<Partial<Record<CrmColumn, string | null>> | null, never, never>;
  /** When it was last read in the CRM by its id: pages that were read before are older. Null if it never was. */
  crm_read_at: ColumnType<string | null, never, never>;
  /** When the CRM no longer had its record. Null while it has, or if it never had. */
  left_crm_at: ColumnType<string | null, never, never>;
  status: Generated<LeadStatus>;
  /** The status that the CRM last reported, if the team has set its own. Null if unknown. */
  crm_status: LeadStatus | null;
  /** What it was read from: the field, a line break and the value. Null if unknown. */
  crm_status_value: string | null;
  owner_id: string | null;
  /** The name of an owner in the CRM who isn't a member. */
  owner_name: Generated<string>;
  /** The member's identifier, or the name in the CRM in lower case. Empty without an owner. */
  owner_group: GeneratedAlways<string>;
  /** The owner that the CRM last reported, if the team has set its own. Empty if it reported none. */
  crm_owner: Generated<string>;
  /** "-infinity": never. Triggers keep it. */
  last_called_at: Generated<string>;
  next_step: Generated<string>;
  follow_up_on: string | null;
  /** In the organisation's time zone. */
  follow_up_time: string | null;
  follow_up_user_id: string | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  /** What removed it. A removed lead is invisible (migration 0012). */
  removal_id: string | null;
  /** 1 for New to 5 for Unqualified. */
  status_rank: GeneratedAlways<number>;
  /** "stone bob" */
  sort_name: GeneratedAlways<string>;
  sort_company: GeneratedAlways<string>;
  sort_job_title: GeneratedAlways<string>;
  sort_email: GeneratedAlways<string>;
  /** E.164, or what is written if it isn't a number. */
  sort_phone: GeneratedAlways<string>;
  sort_next_step: GeneratedAlways<string>;
  /** In the organisation's time zone, the end of the day if there is no time. "infinity" without a callback day. */
  due_at: GeneratedAlways<string>;
  /** Normalised by fold-text: a space, names, company, email, phone as written, its digits, E.164. */
  search: GeneratedAlways<string>;
}

export const leadColumns = [
  "id",
  "first_name",
  "last_name",
  "email",
  "phone",
  "phone_number",
  "company",
  "job_title",
  "crm_url",
  "crm_fields",
  "status",
  "owner_id",
  "owner_name",
  "last_called_at",
  "next_step",
  "follow_up_on",
  "follow_up_time",
  "follow_up_user_id",
  "integration_id",
  "created_at",
  "updated_at",
] as const;

/** Whether a row's number may not be called; the row is of leads, or of a page of them. */
export const onDoNotCall = (row: "leads" | "page", organisationId: string) => sql<boolean>`exists (
  select from do_not_call
  where do_not_call.organisation_id = ${organisationId} and do_not_call.phone_number = ${sql.ref(`${row}.phone_number`)}
)`;

/** The name of the member who owns a lead. Null without an owner, or if they have left. */
const memberName = sql<string | null>`(
  select users.first_name || ' ' || users.last_name from users where users.id = leads.owner_id)`;

/** The name of the member who calls back. */
const followUpName = sql<string | null>`(
  select users.first_name || ' ' || users.last_name from users where users.id = leads.follow_up_user_id)`;

const names = [memberName.as("member_name"), followUpName.as("follow_up_name")] as const;

type LeadRow = Pick<Selectable<LeadTable>, (typeof leadColumns)[number]> & {
  do_not_call: boolean;
  member_name: string | null;
  follow_up_name: string | null;
};

function toOwner({ owner_id: userId, member_name: member, owner_name: name }: LeadRow): Lead["owner"] {
  if (userId !== null) return { userId, name: member ?? formerMember };
  return name === "" ? null : { userId: null, name };
}

export function toLead(row: LeadRow): Lead {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    phoneNumber: row.phone_number,
    doNotCall: row.do_not_call,
    company: row.company,
    jobTitle: row.job_title,
    status: row.status,
    owner: toOwner(row),
    lastCalledAt: row.last_called_at === "-infinity" ? null : row.last_called_at,
    nextStep: row.next_step,
    followUpOn: row.follow_up_on,
    followUpTime: row.follow_up_time?.slice(0, 5) ?? null,
    followUpOwner:
      row.follow_up_user_id === null
        ? null
        : { userId: row.follow_up_user_id, name: row.follow_up_name ?? formerMember },
    integrationId: row.integration_id,
    crmUrl: row.integration_id === null ? null : row.crm_url,
    customFields: row.crm_fields,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Identifies a lead. Every query filters by organisation itself, in addition to the row policy. */
export interface LeadKey {
  id: string;
  organisationId: string;
}

export interface LeadFields {
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | undefined;
  phone?: { written: string; number: string | null } | undefined;
  company?: string | undefined;
  jobTitle?: string | undefined;
  status?: LeadStatus | undefined;
  ownerId?: string | null | undefined;
  nextStep?: string | undefined;
  followUp?: { day: string | null; time: string | null; ownerId: string | null } | undefined;
}

export async function findRole(tx: Tx, key: { organisationId: string; userId: string }): Promise<Role | null> {
  const row = await tx
    .selectFrom("memberships")
    .select("role")
    .where("organisation_id", "=", key.organisationId)
    .where("user_id", "=", key.userId)
    .executeTakeFirst();
  return row?.role ?? null;
}

export async function findLead(tx: Tx, key: LeadKey): Promise<Lead | null> {
  const row = await tx
    .selectFrom("leads")
    .select(leadColumns)
    .select([onDoNotCall("leads", key.organisationId).as("do_not_call"), ...names])
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .executeTakeFirst();
  return row ? toLead(row) : null;
}

/** The lead that this one was merged into, which may itself have been merged since. Null if it wasn't merged. */
export async function findMergedInto(tx: Tx, key: LeadKey): Promise<string | null> {
  await seeRemovedLeads(tx, "on");
  const row = await tx
    .selectFrom("leads")
    .innerJoin("lead_merges", "lead_merges.id", "leads.removal_id")
    .select("lead_merges.kept_id")
    .where("leads.organisation_id", "=", key.organisationId)
    .where("leads.id", "=", key.id)
    .executeTakeFirst();
  await seeRemovedLeads(tx, "off");
  return row?.kept_id ?? null;
}

export async function selectLeadsByIds(tx: Tx, organisationId: string, ids: readonly string[]): Promise<Lead[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom("leads")
    .select(leadColumns)
    .select([onDoNotCall("leads", organisationId).as("do_not_call"), ...names])
    .where("organisation_id", "=", organisationId)
    .where("id", "in", ids)
    .execute();
  return rows.map(toLead);
}

const followUpColumns = ({ day, time, ownerId }: NonNullable<LeadFields["followUp"]>) => ({
  follow_up_on: day,
  follow_up_time: time,
  follow_up_user_id: ownerId,
});

export async function insertLead(
  tx: Tx,
  organisationId: string,
  lead: LeadFields & Required<Pick<LeadFields, "firstName" | "lastName" | "email" | "phone">>,
): Promise<Lead> {
  const row = await tx
    .insertInto("leads")
    .values({
      organisation_id: organisationId,
      first_name: lead.firstName ?? "",
      last_name: lead.lastName ?? "",
      email: lead.email ?? "",
      phone: lead.phone?.written ?? "",
      phone_number: lead.phone?.number ?? null,
      company: lead.company ?? "",
      job_title: lead.jobTitle ?? "",
      owner_id: lead.ownerId ?? null,
      next_step: lead.nextStep ?? "",
      ...(lead.followUp && followUpColumns(lead.followUp)),
      ...(lead.status && { status: lead.status }),
    })
    .returning(leadColumns)
    .returning([onDoNotCall("leads", organisationId).as("do_not_call"), ...names])
    .executeTakeFirstOrThrow();
  return toLead(row);
}

/** Null if there is no such lead. */
export async function changeLead(tx: Tx, key: LeadKey, change: LeadFields): Promise<Lead | null> {
  const row = await tx
    .updateTable("leads")
    .set({
      updated_at: sql<string>`clock_timestamp()`,
      ...(change.firstName !== undefined && { first_name: change.firstName }),
      ...(change.lastName !== undefined && { last_name: change.lastName }),
      ...(change.email !== undefined && { email: change.email }),
      ...(change.phone && { phone: change.phone.written, phone_number: change.phone.number }),
      ...(change.company !== undefined && { company: change.company }),
      ...(change.jobTitle !== undefined && { job_title: change.jobTitle }),
      ...(change.status && { status: change.status }),
      ...(change.ownerId !== undefined && { owner_id: change.ownerId, owner_name: "" }),
      ...(change.nextStep !== undefined && { next_step: change.nextStep }),
      ...(change.followUp && followUpColumns(change.followUp)),
    })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .returning(leadColumns)
    .returning([onDoNotCall("leads", key.organisationId).as("do_not_call"), ...names])
    .executeTakeFirst();
  return row ? toLead(row) : null;
}

/** Deletes up to `limit` leads with their notes and files, including removed ones. Returns how many. */
export async function deleteSomeLeads(tx: Tx, organisationId: string, limit: number): Promise<number> {
  await seeRemovedLeads(tx, "on");
  const some = tx
    .selectFrom("leads")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .limit(limit)
    .forUpdate();
  const deleted = await tx.deleteFrom("leads").where("id", "in", some).executeTakeFirst();
  await seeRemovedLeads(tx, "off");
  return Number(deleted.numDeletedRows);
}

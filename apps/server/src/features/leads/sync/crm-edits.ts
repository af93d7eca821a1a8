import type { LeadStatus } from "@leadline/contract/leads";
import { seeRemovedLeads } from "../../../db/see-removed-leads.ts";
import type { Tx } from "../../../db/transaction.ts";
import {
  readCrm,
  selectByExternalId,
  selectCrmEdits,
  type SentToCrm,
  setCrmValues,
  setOrigin,
} from "../crm-values.table.ts";
import type { LeadKey } from "../leads.table.ts";
import { crmOwnerOf, type ExternalLead } from "./upsert-leads.ts";

const columnOf = {
  firstName: "first_name",
  lastName: "last_name",
  email: "email",
  phone: "phone",
  company: "company",
  jobTitle: "job_title",
  nextStep: "next_step",
} as const;
type LeadTextField = keyof typeof columnOf;
export const leadTextFields = ["firstName", "lastName", "email", "phone", "company", "jobTitle", "nextStep"] as const;
export type LeadTexts = Record<LeadTextField, string>;

/** A lead's current values, and how they differ from those of its CRM record. */
export interface LeadEdits {
  /** The CRM record. Null if it has none. */
  origin: { integrationId: string; externalId: string } | null;
  /** Deleted, which can still be undone, or merged into another. */
  isRemoved: boolean;
  values: LeadTexts;
  status: LeadStatus;
  /** The CRM's last value of each field that the team changed. Null if unknown. */
  changed: Partial<Record<LeadTextField, string | null>>;
  /** The CRM's last status, if the team has set its own. `value`: as in the CRM, null if unknown. */
  crmStatus: { status: LeadStatus; value: string | null } | null;
}

/** Includes removed leads, such as those merged into another, which keep their CRM record. */
export async function readCrmEdits(tx: Tx, key: LeadKey): Promise<LeadEdits | null> {
  await seeRemovedLeads(tx, "on");
  const row = await selectCrmEdits(tx, key);
  await seeRemovedLeads(tx, "off");
  if (row === null) return null;
  const { integration_id: integrationId, external_id: externalId, crm_status: crmStatus } = row;
  const crmValues = row.crm_values ?? {};
  const read = <V>(of: (field: LeadTextField) => V) => leadTextFields.map((field) => [field, of(field)] as const);
  return {
    origin: integrationId === null || externalId === null ? null : { integrationId, externalId },
    isRemoved: row.removal_id !== null,
    values: {
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      phone: row.phone,
      company: row.company,
      jobTitle: row.job_title,
      nextStep: row.next_step,
    },
    status: row.status,
    changed: Object.fromEntries(read((field) => crmValues[columnOf[field]]).filter(([, value]) => value !== undefined)),
    crmStatus:
      crmStatus === null || crmStatus === row.status ? null : { status: crmStatus, value: row.crm_status_value },
  };
}

const toColumns = (values: Partial<LeadTexts>): SentToCrm["values"] =>
  Object.fromEntries(
    leadTextFields.flatMap((field) => (values[field] === undefined ? [] : [[columnOf[field], values[field]]])),
  );

/** The CRM has accepted these values. */
export async function noteSentToCrm(
  tx: Tx,
  key: LeadKey,
  { values, ...sent }: { values: Partial<LeadTexts> } & Omit<SentToCrm, "values">,
): Promise<void> {
  await seeRemovedLeads(tx, "on");
  await setCrmValues(tx, key, { values: toColumns(values), ...sent });
  await seeRemovedLeads(tx, "off");
}

/** The lead, removed ones included, that has this CRM record. */
export async function findByExternalId(
  tx: Tx,
  of: { organisationId: string; integrationId: string; externalId: string },
): Promise<{ id: string; createdAt: string } | null> {
  await seeRemovedLeads(tx, "on");
  const found = await selectByExternalId(tx, of);
  await seeRemovedLeads(tx, "off");
  return found;
}

interface LinkLead extends LeadKey {
  integrationId: string;
  /** The record, as read from the CRM. */
  record: ExternalLead;
  /** What was sent to it. */
  sent: Partial<LeadTexts>;
  /** The record was in the CRM before, so its status is the CRM's own. */
  isForeign: boolean;
}

/**
 * Makes a lead the CRM record's. Where the record has what was sent, or nothing, the lead's own value stays, and counts
 * as a change of the team. The next upsert takes the rest from the record. `isBehind`: the record lacks some of it.
 */
export async function linkLead(
  tx: Tx,
  { integrationId, record, sent, isForeign, ...key }: LinkLead,
): Promise<{ isBehind: boolean }> {
  const edits = await readCrmEdits(tx, key);
  if (edits === null) return { isBehind: false };
  const crm: LeadTexts = {
    ...record,
    company: record.company ?? "",
    jobTitle: record.jobTitle ?? "",
    nextStep: record.nextStep ?? "",
  };
  const kept = leadTextFields.filter(
    (field) => edits.values[field] !== crm[field] && (crm[field] === "" || crm[field] === sent[field]),
  );
  await seeRemovedLeads(tx, "on");
  await readCrm(tx, "on");
  await setOrigin(tx, key, {
    integrationId,
    externalId: record.externalId,
    crmValues: toColumns(Object.fromEntries(kept.map((field) => [field, crm[field]]))),
    // As if the lead had its status from the CRM, so that the next upsert takes the record's.
    status: record.status === undefined ? null : isForeign ? edits.status : record.status,
    statusValue: isForeign ? null : (record.statusValue ?? null),
    crmOwner: crmOwnerOf(record),
  });
  await readCrm(tx, "off");
  await seeRemovedLeads(tx, "off");
  const lacksStatus = !isForeign && record.status !== undefined && edits.status !== record.status;
  return { isBehind: kept.length > 0 || lacksStatus };
}

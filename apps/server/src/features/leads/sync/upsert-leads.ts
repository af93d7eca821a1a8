import { storableText } from "@leadline/adapter-kit/storable-text";
import type { LeadStatus } from "@leadline/contract/leads";
import type { Tx } from "../../../db/transaction.ts";
import { defaultCountryOf } from "../../organisations/default-country.ts";
import { refuseInsertedOverRowQuota } from "../../organisations/refuse-over-row-quota.ts";
import { readCrm } from "../crm-values.table.ts";
import { clearOrigin, restoreOrigin, selectWorkedWith } from "./detach-leads.table.ts";
import { noteCrmOwners, type SeenCrmOwner } from "../owners/crm-owners.table.ts";
import { selectErasedRecords } from "../removal/erased-records.table.ts";
import { seeRemovedLeads } from "../../../db/see-removed-leads.ts";
import { toPhoneNumbers } from "../numbers/to-phone-number.ts";
import {
  deleteExternalLeads,
  type ExternalLeadRow,
  noteReadById,
  selectReadAfter,
  upsertExternalLeads,
} from "../insert/insert-leads.table.ts";

/**
 * A lead as read from a CRM. Empty text if the CRM has no value: the lead form's rules don't apply to CRMs. A value that
 * the team set is only replaced once the one in the CRM has changed.
 */
export interface ExternalLead {
  externalId: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  company?: string;
  jobTitle?: string;
  /** One line of up to 200 characters. */
  nextStep?: string;
  /** Null or missing if it has no owner there. The member that this owner is mapped to becomes the owner here. */
  owner?: { name: string; email: string } | null;
  /** The record's page in the CRM. */
  url?: string | null;
  /** Stored and shown as they are. */
  customFields?: readonly { name: string; value: string }[];
  /**
   * Used if it differs from what the CRM last reported. A status that the team set is only replaced if the value in the
   * CRM has changed, not the mapping. Missing: a new lead is New, and an existing one keeps its status.
   */
  status?: LeadStatus;
  /** The field that it was read from, a line break and the value in the CRM. Omitted if unknown. */
  statusValue?: string;
}

interface OfIntegration {
  organisationId: string;
  integrationId: string;
}

interface ReadLeads extends OfIntegration {
  leads: readonly ExternalLead[];
  /** A time by the database's clock: the CRM had these values then or later. */
  asOf: string;
}

export interface UpsertedLeads {
  created: number;
  /** Those that differed from what was stored. */
  updated: number;
}

/**
 * Upserts a page of a CRM's leads, matched only by (organisation, integration, external id), after reattaching leads of
 * an earlier integration with the same account. Up to about 5,000 at a time. The last row with an external id wins.
 * Idempotent. Leaves out records that were erased here, and those that were read by their id after `asOf`, because the
 * lead has newer values: the caller has locked the integration, as an erasure and every other upsert do.
 * @throws quota-reached
 */
export async function upsertLeads(tx: Tx, { leads, asOf, ...key }: ReadLeads): Promise<UpsertedLeads> {
  const given = new Map(leads.map((lead) => [lead.externalId, lead]));
  const [erased, country] = await Promise.all([
    selectErasedRecords(tx, key, [...given.keys()]),
    defaultCountryOf(tx, key.organisationId),
  ]);
  const latest = [...given.values()].filter(({ externalId }) => !erased.has(externalId));
  const externalIds = latest.map((lead) => lead.externalId);
  const phones = latest.map((lead) => lead.phone);
  const [numbers] = await Promise.all([
    toPhoneNumbers(phones, country),
    readCrm(tx, "on"),
    // A lead that was deleted here keeps its row, so that a sync doesn't import it again.
    seeRemovedLeads(tx, "on"),
    restoreOrigin(tx, key, externalIds),
  ]);
  const owners = new Map(latest.flatMap((lead) => seenOwner(lead) ?? []).map((owner) => [owner.ownerKey, owner]));
  const members =
    owners.size === 0 ? new Map<string, string | null>() : await noteCrmOwners(tx, key, [...owners.values()]);
  const rows = latest.map((lead, index): ExternalLeadRow & Pick<ExternalLead, "status"> => ({
    externalId: lead.externalId,
    firstName: storable(lead.firstName),
    lastName: storable(lead.lastName),
    email: storable(cut(lead.email)),
    phone: storable(lead.phone),
    phoneNumber: numbers[index] ?? null,
    company: storable(lead.company ?? ""),
    jobTitle: storable(lead.jobTitle ?? ""),
    nextStep: storable(lead.nextStep ?? ""),
    url: lead.url ?? null,
    customFields: JSON.stringify((lead.customFields ?? []).map(toStorableField)),
    ...ownerOf(lead, members),
    statusValue: lead.statusValue === undefined ? null : storable(lead.statusValue),
    ...(lead.status && { status: lead.status }),
  }));
  const withStatus = rows.filter((row) => row.status !== undefined);
  const without = rows.filter((row) => row.status === undefined);
  const statuses = withStatus.map((row) => row.status ?? "New");
  const first = await upsertExternalLeads(tx, { ...key, asOf }, withStatus, statuses);
  const second = await upsertExternalLeads(tx, { ...key, asOf }, without, null);
  const created = first.created + second.created;
  await refuseInsertedOverRowQuota(tx, { organisationId: key.organisationId, table: "leads", inserted: created });
  await Promise.all([readCrm(tx, "off"), seeRemovedLeads(tx, "off")]);
  return { created, updated: first.updated + second.updated };
}

/** Upserts leads that were read by their ids. What was read before doesn't replace them any more. */
export async function upsertLeadsById(tx: Tx, read: ReadLeads): Promise<void> {
  await upsertLeads(tx, read);
  await seeRemovedLeads(tx, "on");
  await noteReadById(
    tx,
    read,
    read.leads.map(({ externalId }) => externalId),
  );
  await seeRemovedLeads(tx, "off");
}

/**
 * Removes leads that the CRM no longer had at `asOf`, by the database's clock; null: now. Leaves out those that were read
 * by their id after that, because they were there: restored, for example. One that the team has edited, or that has a
 * note, a file, a callback day or a call, has been worked on, so it stays, detached. Calls with the others stay in the log.
 */
export async function deleteLeadsByExternalId(
  tx: Tx,
  { externalIds: given, asOf, ...key }: OfIntegration & { externalIds: readonly string[]; asOf: string | null },
): Promise<{ deleted: number; kept: number }> {
  if (given.length === 0) return { deleted: 0, kept: 0 };
  await seeRemovedLeads(tx, "on");
  const readSince = asOf === null ? [] : await selectReadAfter(tx, { ...key, asOf }, given);
  const externalIds = given.filter((id) => !readSince.includes(id));
  const workedWith = await selectWorkedWith(tx, key, externalIds);
  const kept = workedWith.length === 0 ? 0 : await clearOrigin(tx, key, workedWith);
  const deleted = await deleteExternalLeads(tx, key, externalIds);
  await seeRemovedLeads(tx, "off");
  return { deleted, kept };
}

/** Null if the CRM has no owner. */
export function seenOwner({ owner }: Pick<ExternalLead, "owner">): SeenCrmOwner | null {
  if (!owner) return null;
  const [name, written] = [storable(cut(owner.name)), storable(cut(owner.email))];
  // Without < and >, so that `name <email>` can be parsed again.
  const email = /[<>]/.test(written) ? "" : written;
  const ownerKey = email.toLowerCase() || name;
  return ownerKey === "" ? null : { ownerKey, name, email };
}

function ownerOf(lead: ExternalLead, members: ReadonlyMap<string, string | null>) {
  const owner = seenOwner(lead);
  if (owner === null) return { ownerId: null, ownerName: "", crmOwner: "" };
  const { ownerKey, name, email } = owner;
  const ownerId = members.get(ownerKey) ?? null;
  return { ownerId, ownerName: ownerId === null ? name || email : "", crmOwner: crmOwnerOf(lead) };
}

/** As stored with the lead. Empty if the CRM has no owner. */
export function crmOwnerOf(lead: Pick<ExternalLead, "owner">): string {
  const owner = seenOwner(lead);
  return owner === null ? "" : `${owner.name} <${owner.email}>`;
}

/** Longer than any email (RFC 5321, section 4.5.3.1), and short enough for an index. */
const longestIndexed = 320;
const cut = (text: string): string => text.trim().slice(0, longestIndexed);
const storable = (text: string): string => storableText(text).trim();
const toStorableField = ({ name, value }: { name: string; value: string }) => ({
  name: storableText(name),
  value: storableText(value),
});

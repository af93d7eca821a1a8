import type { Crm, CrmGrant, CrmLead, CrmOwner } from "@leadline/adapter-kit/crm";
import type { CrmWrittenField } from "@leadline/adapter-kit/crm-lead-writer";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import type { LeadStatus } from "@leadline/contract/leads";
import { type LeadEdits, leadTextFields } from "../../leads/sync/crm-edits.ts";
import type { OwnOwner } from "../../leads/owners/own-owner.ts";
import { crmOwnerOf, seenOwner } from "../../leads/sync/upsert-leads.ts";

/** What a lead's edits mean for its CRM record, as it is now. */
export interface ChangePlan {
  /** To write. */
  changed: CrmWrittenField[];
  /** Changed in the CRM since the team's edit: the CRM's value wins. */
  conflicts: CrmWrittenField[];
}

const isMapped = (field: CrmWrittenField, { fields }: CrmMapping): boolean =>
  fields[field] !== null || ((field === "firstName" || field === "lastName") && fields.fullName !== null);

/** Whether the CRM has a field for anything that the team changed. */
export const concernsCrm = ({ lead, owner }: Edited, mapping: CrmMapping): boolean =>
  leadTextFields.some((field) => field in lead.changed && isMapped(field, mapping)) ||
  (lead.crmStatus !== null && isMapped("status", mapping)) ||
  (owner !== null && isMapped("owner", mapping));

interface Edited {
  lead: LeadEdits;
  owner: OwnOwner | null;
}

export function planChange({ lead, owner }: Edited, record: CrmLead, mapping: CrmMapping): ChangePlan {
  const isWritten = (field: CrmWrittenField) => isMapped(field, mapping);
  const valueOf = (field: (typeof leadTextFields)[number]) => record[field] ?? "";
  const differs = leadTextFields.filter(
    (field) => field in lead.changed && isWritten(field) && valueOf(field) !== lead.values[field],
  );
  const isConflict = (field: (typeof differs)[number]) => {
    const known = lead.changed[field];
    return typeof known === "string" && valueOf(field) !== known;
  };
  const judged = {
    status: lead.crmStatus === null || !isWritten("status") ? "same" : judgeStatus(lead.status, lead.crmStatus, record),
    owner: owner === null || !isWritten("owner") ? "same" : judgeOwner(owner, record),
  } as const;
  const those = (verdict: Verdict) => (["status", "owner"] as const).filter((field) => judged[field] === verdict);
  return {
    changed: [...differs.filter((field) => !isConflict(field)), ...those("differs")],
    conflicts: [...differs.filter(isConflict), ...those("conflict")],
  };
}

/** Fields that have the team's value in the CRM already, with the value that the CRM had when the team changed them. */
export function writtenAlready({ lead }: Edited, record: CrmLead, mapping: CrmMapping) {
  const fields = leadTextFields.flatMap((field) => {
    const known = lead.changed[field];
    const isThere = (record[field] ?? "") === lead.values[field];
    return isThere && typeof known === "string" && isMapped(field, mapping) ? [[field, known] as const] : [];
  });
  return Object.fromEntries(fields);
}

type Verdict = "same" | "conflict" | "differs";

function judgeOwner({ inCrm, reported }: OwnOwner, record: CrmLead): Verdict {
  if (isSameOwner(inCrm, record.owner ?? null)) return "same";
  return crmOwnerOf(record) === reported ? "differs" : "conflict";
}

/** By email, or by name without one. */
export const isSameOwner = (a: CrmOwner | null, b: CrmOwner | null): boolean =>
  seenOwner({ owner: a })?.ownerKey === seenOwner({ owner: b })?.ownerKey;

const fieldOf = (statusValue: string): string => statusValue.split("\n", 1)[0] ?? "";

function judgeStatus(
  own: LeadStatus,
  known: NonNullable<LeadEdits["crmStatus"]>,
  { status, statusValue }: CrmLead,
): Verdict {
  if (status === own) return "same";
  // A value of another field says nothing about what people changed there.
  const isSameField = known.value !== null && fieldOf(known.value) === fieldOf(statusValue);
  const hasChanged = isSameField ? known.value !== statusValue : known.value === null && known.status !== status;
  return hasChanged ? "conflict" : "differs";
}

/** The CRM's own value for a status, by the mapping. Null if none has this meaning. */
export async function valueForStatus(
  crm: Crm,
  grant: CrmGrant,
  { mapping, status }: { mapping: CrmMapping; status: LeadStatus },
): Promise<string | null> {
  if (mapping.fields.status === null) return null;
  const fields = await crm.sources.describeFields(grant, mapping.source);
  const options = fields.find(({ id }) => id === mapping.fields.status)?.options ?? [];
  const meaningOf = (option: (typeof options)[number]) => mapping.statuses[option.value] ?? option.status;
  return options.find((option) => meaningOf(option) === status)?.value ?? null;
}

/** The CRM's own value for an owner. Null if it has none. */
export async function valueForOwner(
  crm: Crm,
  grant: CrmGrant,
  { mapping, owner }: { mapping: CrmMapping; owner: OwnOwner },
): Promise<string | null> {
  const isUnknown = owner.member !== null && owner.inCrm === null;
  return isUnknown ? null : crm.leads.ownerValue(grant, owner.inCrm, mapping);
}

export const noSuchOwner = (crmName: string, { member }: OwnOwner): string =>
  member === null
    ? `A lead in ${crmName} always has an owner, so it keeps the one it has there.`
    : `${member} isn’t an owner in ${crmName}. Choose this member for an owner under Map fields, then retry.`;

export const noSuchStatus = (crmName: string, status: LeadStatus): string =>
  `${crmName} has no status that means ${status}. Choose one under Map fields, then retry.`;

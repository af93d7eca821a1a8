import type { Crm, CrmGrant, CrmLead, CrmWrittenField } from "@leadline/adapter-kit/crm";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import type { LeadStatus } from "@leadline/contract/leads";
import { type LeadEdits, leadTextFields } from "../../leads/crm-edits.ts";

/** What a lead's edits mean for its CRM record, as it is now. */
export interface ChangePlan {
  /** To write. */
  changed: CrmWrittenField[];
  /** Changed in the CRM since the team's edit: the CRM's value wins. */
  conflicts: CrmWrittenField[];
}

export function planChange(lead: LeadEdits, record: CrmLead, { fields }: CrmMapping): ChangePlan {
  const isMapped = (field: CrmWrittenField) =>
    fields[field] !== null || ((field === "firstName" || field === "lastName") && fields.fullName !== null);
  const differs = leadTextFields.filter(
    (field) => field in lead.changed && isMapped(field) && record[field] !== lead.values[field],
  );
  const isConflict = (field: (typeof differs)[number]) => {
    const known = lead.changed[field];
    return typeof known === "string" && record[field] !== known;
  };
  const status =
    lead.crmStatus === null || !isMapped("status") ? "none" : judgeStatus(lead.status, lead.crmStatus, record);
  return {
    changed: [...differs.filter((field) => !isConflict(field)), ...(status === "differs" ? (["status"] as const) : [])],
    conflicts: [...differs.filter(isConflict), ...(status === "conflict" ? (["status"] as const) : [])],
  };
}

const fieldOf = (statusValue: string): string => statusValue.split("\n", 1)[0] ?? "";

function judgeStatus(
  own: LeadStatus,
  known: NonNullable<LeadEdits["crmStatus"]>,
  { status, statusValue }: CrmLead,
): "same" | "conflict" | "differs" {
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

export const noSuchStatus = (crmName: string, status: LeadStatus): string =>
  `${crmName} has no status that means ${status}. Choose one under Map fields, then retry.`;

import {
  customFieldsOf,
  nextStepOf,
  ownerIn,
  splitName,
  statusOf,
  statusValueOf,
} from "@leadline/adapter-kit/apply-mapping";
import { CrmError, type CrmLead, type CrmLeftOut } from "@leadline/adapter-kit/crm";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import { toIso } from "./lead-cursor.ts";

const Text = z
  .string()
  .nullish()
  .transform((text) => text?.trim() ?? "");

export const LeadRecord = z.looseObject({
  Id: z.string().regex(/^[a-zA-Z0-9]{15,18}$/),
  IsConverted: z.boolean().nullish(),
  /** A user, or a queue, which has a name only. */
  Owner: z.object({ Name: Text, Email: Text }).nullish(),
  SystemModstamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/),
});
export type LeadRecord = z.output<typeof LeadRecord>;

export const defaultMapping: CrmMapping = {
  source: "Lead",
  sourceName: "Leads",
  fields: {
    fullName: null,
    firstName: "FirstName",
    lastName: "LastName",
    email: "Email",
    phone: "Phone",
    company: "Company",
    jobTitle: "Title",
    status: "Status",
    owner: "OwnerId",
    nextStep: null,
  },
  custom: [],
  statuses: {},
};

/** What a query selects for this mapping. An identifier that is no field's name gets into no query. */
export function fieldsFor({ fields, custom }: CrmMapping): string[] {
  const chosen = [...Object.values(fields), ...custom.map(({ id }) => id)].filter((id) => id !== null);
  const refused = chosen.find((id) => !/^[a-zA-Z]\w{0,79}$/.test(id));
  if (refused !== undefined) throw new CrmError("refused", "A mapped field has no valid name. Map the fields again.");
  const always = ["Id", "IsConverted", "SystemModstamp", ...(fields.phone === "Phone" ? ["MobilePhone"] : [])];
  const read = chosen.flatMap((id) => (id === "OwnerId" ? ["Owner.Name", "Owner.Email"] : [id]));
  return [...new Set([...always, ...read])];
}

/** What a record is here: a lead, or left out for having no name. `shown`: where people see the instance's records. */
export function readLead(
  record: LeadRecord,
  { shown, mapping }: { shown: string; mapping: CrmMapping },
): CrmLead | CrmLeftOut {
  const { Id: externalId } = record;
  const { fields } = mapping;
  const read = (id: string | null): string => (id === null ? "" : textOf(record, id));
  const url = `${shown}/lightning/r/Lead/${externalId}/view`;
  const [start, end] = splitName(read(fields.fullName));
  const firstName = read(fields.firstName) || start;
  const lastName = read(fields.lastName) || end;
  if (firstName === "" && lastName === "") return { externalId, why: "It has no name.", url };
  const { Owner } = record;
  const user = Owner ? { name: Owner.Name, email: Owner.Email } : null;
  const isConverted = record.IsConverted === true;
  const status = statusOf(mapping, read(fields.status), toStatus);
  return {
    externalId,
    firstName,
    lastName,
    email: read(fields.email),
    phone: read(fields.phone) || (fields.phone === "Phone" ? read("MobilePhone") : ""),
    company: read(fields.company),
    jobTitle: read(fields.jobTitle),
    nextStep: nextStepOf(read(fields.nextStep)),
    status: isConverted ? "Qualified" : status,
    // A value of the same field, so that a conversion counts as a change in the CRM.
    statusValue: statusValueOf(fields.status, isConverted ? "converted" : read(fields.status)),
    owner: fields.owner === "OwnerId" ? user : ownerIn(read(fields.owner)),
    url,
    version: toIso(record.SystemModstamp),
    // A picklist of several values has semicolons.
    customFields: customFieldsOf(mapping, read, ";"),
  };
}

function textOf(record: LeadRecord, id: string): string {
  if (id === "OwnerId") return record.Owner?.Name ?? "";
  const value = record[id];
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

/** Every organisation words its own; the four it starts with, and what their words say. */
export function toStatus(status: string): CrmLead["status"] {
  const words = status.toLowerCase();
  if (/(?<!not )(?<!un|dis)(converted|qualified)/.test(words)) return "Qualified";
  if (/unqualified|disqualified|not (converted|qualified|interested)|closed|junk|dead/.test(words))
    return "Unqualified";
  if (/nurtur/.test(words)) return "Nurturing";
  if (/not contacted|new|open/.test(words)) return "New";
  return /working|contact|progress|attempt/.test(words) ? "Working" : "New";
}

import type { CrmLead, CrmLeftOut } from "@leadline/adapter-kit/crm";
import { z } from "zod";

const Text = z
  .string()
  .nullish()
  .transform((text) => text?.trim() ?? "");

export const LeadRecord = z.object({
  Id: z.string().regex(/^[a-zA-Z0-9]{15,18}$/),
  FirstName: Text,
  LastName: Text,
  Email: Text,
  Phone: Text,
  MobilePhone: Text,
  Company: Text,
  Title: Text,
  Status: Text,
  IsConverted: z.boolean().nullish(),
  /** A user, or a queue, which has a name only. */
  Owner: z.object({ Name: Text, Email: Text }).nullish(),
  SystemModstamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/),
});
export type LeadRecord = z.output<typeof LeadRecord>;

export const leadFields = [...Object.keys(LeadRecord.omit({ Owner: true }).shape), "Owner.Name", "Owner.Email"];

/** What a record is here: a lead, or left out for having no name. `shown`: where people see the instance's records. */
export function readLead(record: LeadRecord, shown: string): CrmLead | CrmLeftOut {
  const { Id: externalId, FirstName: firstName, LastName: lastName } = record;
  const url = `${shown}/lightning/r/Lead/${externalId}/view`;
  if (firstName === "" && lastName === "") return { externalId, why: "It has no name.", url };
  return {
    externalId,
    firstName,
    lastName,
    email: record.Email,
    phone: record.Phone || record.MobilePhone,
    company: record.Company,
    jobTitle: record.Title,
    status: toStatus(record),
    owner: record.Owner ? { name: record.Owner.Name, email: record.Owner.Email } : null,
    url,
  };
}

/** Every organisation words its own; the four it starts with, and what their words say. */
function toStatus({ Status, IsConverted }: LeadRecord): CrmLead["status"] {
  const words = Status.toLowerCase();
  if (IsConverted === true || /(?<!not )(?<!un|dis)(converted|qualified)/.test(words)) return "Qualified";
  if (/unqualified|disqualified|not (converted|qualified|interested)|closed|junk|dead/.test(words))
    return "Unqualified";
  if (/nurtur/.test(words)) return "Nurturing";
  if (/not contacted|new|open/.test(words)) return "New";
  return /working|contact|progress|attempt/.test(words) ? "Working" : "New";
}

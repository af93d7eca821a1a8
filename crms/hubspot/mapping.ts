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

export const ContactRecord = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  properties: z.record(z.string(), z.string().nullish()),
  createdAt: z.iso.datetime().optional(),
  archivedAt: z.iso.datetime().optional(),
});
export type ContactRecord = z.output<typeof ContactRecord>;

export const ownerProperty = "hubspot_owner_id";

export const defaultMapping: CrmMapping = {
  source: "contacts",
  sourceName: "Contacts",
  fields: {
    fullName: null,
    firstName: "firstname",
    lastName: "lastname",
    email: "email",
    phone: "phone",
    company: "company",
    jobTitle: "jobtitle",
    status: "hs_lead_status",
    owner: ownerProperty,
    nextStep: null,
  },
  custom: [],
  statuses: {},
};

/** The properties to request for this mapping. Invalid names never get into an address. */
export function propertiesFor({ fields, custom }: CrmMapping): string[] {
  const chosen = [...Object.values(fields), ...custom.map(({ id }) => id)].filter((id) => id !== null);
  if (chosen.some((id) => !/^\w{1,200}$/.test(id)))
    throw new CrmError("refused", "A mapped field has no valid name. Map the fields again.");
  const always = ["hs_merged_object_ids", "lastmodifieddate", ...(fields.phone === "phone" ? ["mobilephone"] : [])];
  return [...new Set([...always, ...chosen])];
}

/** The account's users who can own contacts, by id. */
export type Owners = ReadonlyMap<string, NonNullable<CrmLead["owner"]>>;

export const isOwned = ({ properties }: ContactRecord): boolean => Boolean(properties[ownerProperty]);

/** A contact without a name is named after its email or number. One without any of these is left out. */
export function readContact(
  { id, properties }: ContactRecord,
  { url, owners, mapping }: { url: string; owners: Owners; mapping: CrmMapping },
): CrmLead | CrmLeftOut {
  const { fields } = mapping;
  const read = (name: string | null): string => {
    const text = (name === null ? null : properties[name])?.trim() ?? "";
    return name === ownerProperty ? (owners.get(text)?.name ?? "") : text;
  };
  const email = read(fields.email);
  const phone = read(fields.phone) || (fields.phone === "phone" ? read("mobilephone") : "");
  const [start, end] = splitName(read(fields.fullName));
  const firstName = read(fields.firstName) || start;
  const lastName = read(fields.lastName) || end || (firstName === "" ? email || phone : "");
  if (firstName === "" && lastName === "")
    return { externalId: id, why: "It has no name, email or phone number.", url };
  const user = owners.get(properties[ownerProperty] ?? "") ?? null;
  return {
    externalId: id,
    firstName,
    lastName,
    email,
    phone,
    company: read(fields.company),
    jobTitle: read(fields.jobTitle),
    nextStep: nextStepOf(read(fields.nextStep)),
    status: statusOf(mapping, read(fields.status), toStatus),
    statusValue: statusValueOf(fields.status, read(fields.status)),
    owner: fields.owner === ownerProperty ? user : ownerIn(read(fields.owner)),
    url,
    ...(properties["lastmodifieddate"] && { version: properties["lastmodifieddate"] }),
    customFields: customFieldsOf(mapping, read, ";"),
  };
}

/** Ids of contacts that were merged into this one, separated by semicolons. */
export const mergedInto = ({ id, properties }: ContactRecord): string[] =>
  (properties["hs_merged_object_ids"] ?? "").split(";").filter((other) => /^\d{1,20}$/.test(other) && other !== id);

/** The values of every new account, and what custom values mean by their words. */
export function toStatus(value: string): CrmLead["status"] {
  const words = value.toLowerCase();
  if (/unqualified|disqualified|not[_ ]?(qualified|interested)|junk|dead|closed_?lost/.test(words))
    return "Unqualified";
  if (/open_deal|qualified|converted|customer/.test(words)) return "Qualified";
  if (/bad_timing|nurtur/.test(words)) return "Nurturing";
  return /progress|attempt|connected|working|contacted/.test(words) ? "Working" : "New";
}

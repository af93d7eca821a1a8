import type { CrmLead, CrmLeftOut } from "@leadline/adapter-kit/crm";
import { z } from "zod";

const Text = z
  .string()
  .nullish()
  .transform((text) => text?.trim() ?? "");

const Properties = z.object({
  firstname: Text,
  lastname: Text,
  email: Text,
  phone: Text,
  mobilephone: Text,
  company: Text,
  jobtitle: Text,
  hs_lead_status: Text,
  hubspot_owner_id: Text,
  /** Identifiers of contacts that were merged into this one, with semicolons. */
  hs_merged_object_ids: Text,
  lastmodifieddate: Text,
});
export const ContactRecord = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  properties: Properties,
  archivedAt: z.iso.datetime().optional(),
});
export type ContactRecord = z.output<typeof ContactRecord>;

export const contactProperties = Object.keys(Properties.shape);

/** The account's users who can own contacts, by their identifiers. */
export type Owners = ReadonlyMap<string, NonNullable<CrmLead["owner"]>>;

/** A contact that has only an address or a number goes by that; one that has nothing is left out. */
export function readContact(
  { id, properties }: ContactRecord,
  { url, owners }: { url: string; owners: Owners },
): CrmLead | CrmLeftOut {
  const { firstname: firstName, lastname, email, company, jobtitle: jobTitle, hs_lead_status: words } = properties;
  const phone = properties.phone || properties.mobilephone;
  const lastName = lastname || (firstName === "" ? email || phone : "");
  if (firstName === "" && lastName === "")
    return { externalId: id, why: "It has no name, email or phone number.", url };
  const owner = owners.get(properties.hubspot_owner_id) ?? null;
  return { externalId: id, firstName, lastName, email, phone, company, jobTitle, status: toStatus(words), owner, url };
}

export const mergedInto = ({ id, properties }: ContactRecord): string[] =>
  properties.hs_merged_object_ids.split(";").filter((other) => /^\d{1,20}$/.test(other) && other !== id);

/** The values that every account starts with, and what the words of its own say. */
function toStatus(value: string): CrmLead["status"] {
  const words = value.toLowerCase();
  if (/unqualified|disqualified|not[_ ]?(qualified|interested)|junk|dead|closed_?lost/.test(words))
    return "Unqualified";
  if (/open_deal|qualified|converted|customer/.test(words)) return "Qualified";
  if (/bad_timing|nurtur/.test(words)) return "Nurturing";
  return /progress|attempt|connected|working|contacted/.test(words) ? "Working" : "New";
}

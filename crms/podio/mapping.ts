import { customFieldsOf, nextStepOf, splitName, statusOf, statusValueOf } from "@leadline/adapter-kit/apply-mapping";
import type { CrmLead, CrmLeftOut } from "@leadline/adapter-kit/crm";
import type { CrmField, CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";

const FieldValues = z.object({
  field_id: z.int(),
  type: z.string(),
  values: z.array(z.record(z.string(), z.unknown())).default([]),
});
/** In UTC, to the second, without a time zone: 2026-03-29 14:05:00. */
const Time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  .transform((text) => Date.parse(`${text.replace(" ", "T")}Z`));
/** Rejects links to hosts other than Podio's own. */
export const Link = z
  .url({ protocol: /^https$/, hostname: /^(?:[a-z0-9-]+\.)?podio\.com$/ })
  .transform((link) => new URL(link));
export const Item = z
  .object({
    item_id: z.int().positive(),
    fields: z.array(FieldValues),
    last_edit_on: Time.optional(),
    current_revision: z.object({ created_on: Time, revision: z.int().optional() }).optional(),
    link: Link.nullish().catch(null),
  })
  .transform(({ item_id: id, fields, last_edit_on, current_revision, link }) => ({
    id,
    fields,
    link: link ?? null,
    /** Milliseconds since 1970. Null if not reported. */
    editedMs: last_edit_on ?? current_revision?.created_on ?? null,
    revision: current_revision?.revision ?? null,
  }));
export type Item = z.output<typeof Item>;

const kinds: Record<string, CrmField["kind"]> = {
  text: "text",
  calculation: "text",
  email: "email",
  phone: "phone",
  category: "choice",
  question: "choice",
  contact: "person",
};
export const kindOf = (type: string): CrmField["kind"] => kinds[type] ?? "other";

/** An item without a name is named after its email or number. One without any mapped name is left out. */
export function readItem({ id, fields, revision }: Item, chosen: CrmMapping, url: string | null): CrmLead | CrmLeftOut {
  const externalId = String(id);
  const mapping = chosen.fields;
  const read = (fieldId: string | null, part: keyof typeof personParts): string => {
    const found = fields.find(({ field_id }) => String(field_id) === fieldId);
    return found === undefined ? "" : textOf(found, part);
  };
  const email = read(mapping.email, "email");
  const phone = read(mapping.phone, "phone");
  const [start, end] = splitName(read(mapping.fullName, "name"));
  const firstName = read(mapping.firstName, "name") || start;
  const lastName = read(mapping.lastName, "name") || end || (firstName === "" ? email || phone : "");
  if (firstName === "" && lastName === "")
    return { externalId, why: "The fields that you chose for the name, email and phone are empty.", url };
  const company = read(mapping.company, "name");
  const jobTitle = read(mapping.jobTitle, "name");
  const nextStep = nextStepOf(read(mapping.nextStep, "name"));
  const statusName = read(mapping.status, "name");
  const status = statusOf(chosen, statusName, toStatus);
  const statusValue = statusValueOf(mapping.status, statusName);
  const owner = readOwner(read(mapping.owner, "name"), read(mapping.owner, "email"));
  const customFields = customFieldsOf(chosen, (fieldId) => read(fieldId, "name"));
  const who = { firstName, lastName, email, phone, company, jobTitle, nextStep };
  const version = revision === null ? {} : { version: String(revision) };
  return { externalId, ...who, status, statusValue, owner, url, ...version, customFields };
}

/** For a text field, both are the same text. */
function readOwner(name: string, email: string): { name: string; email: string } | null {
  if (name === "" && email === "") return null;
  return { name, email: email.includes("@") ? email : "" };
}

/** A contact's keys; all but the name are lists in Podio. */
const personParts = { name: "name", email: "mail", phone: "phone" } as const;

/** The first value, as text. */
function textOf({ values }: z.output<typeof FieldValues>, part: keyof typeof personParts): string {
  const value = values[0]?.["value"];
  if (typeof value === "string") return toPlainText(value);
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return "";
  const told = new Map<string, unknown>(Object.entries(value));
  const given = told.get(personParts[part]) ?? told.get("text") ?? told.get("title");
  const first: unknown = Array.isArray(given) ? given[0] : given;
  return typeof first === "string" ? toPlainText(first) : "";
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** Longer texts are HTML in Podio. */
const toPlainText = (text: string): string =>
  text
    .replaceAll(/<\/?[a-z][^<>]*>/gi, " ")
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Each app defines its own words. */
export function toStatus(words: string): CrmLead["status"] {
  if (/unqualified|disqualified|not (qualified|interested)|junk|dead|lost/i.test(words)) return "Unqualified";
  if (/qualified|converted|customer|won/i.test(words)) return "Qualified";
  if (/later|nurtur|on hold/i.test(words)) return "Nurturing";
  return /progress|attempt|connected|working|contacted/i.test(words) ? "Working" : "New";
}

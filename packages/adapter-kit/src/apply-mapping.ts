import type { CrmMapping } from "@leadline/contract/crm-mapping";
import type { LeadStatus } from "@leadline/contract/leads";
import type { CrmCustomField } from "./crm.ts";

/** By what the mapping says of this value, or else by the adapter's reading of its words. */
export const statusOf = (
  { statuses }: Pick<CrmMapping, "statuses">,
  value: string,
  readWords: (value: string) => LeadStatus,
): LeadStatus => (Object.hasOwn(statuses, value) ? statuses[value] : undefined) ?? readWords(value);

/** The field and its value: by another mapping of the values it stays the same. */
export const statusValueOf = (fieldId: string | null, value: string): string =>
  fieldId === null ? "" : `${fieldId}\n${value}`;

/** Longer values are cut: a lead's page shows them on a line or two. */
const longestValue = 1_000;

/** `separator`: between the values of a choice that takes several. */
export function customFieldsOf(
  { custom }: Pick<CrmMapping, "custom">,
  read: (fieldId: string) => string,
  separator?: string,
): CrmCustomField[] {
  return custom.flatMap(({ id, name, labels }) => {
    const values = separator === undefined ? [read(id)] : read(id).split(separator);
    const value = values.map((one) => (Object.hasOwn(labels, one) ? labels[one] : one)).join(", ");
    return value === "" ? [] : [{ name, value: value.slice(0, longestValue) }];
  });
}

/** Of a text field that names an owner, the name and the email are the same text. */
export const ownerIn = (text: string): { name: string; email: string } | null =>
  text === "" ? null : { name: text, email: text.includes("@") ? text : "" };

/** At its last space. */
export function splitName(name: string): [start: string, end: string] {
  const at = name.lastIndexOf(" ");
  return at < 0 ? ["", name] : [name.slice(0, at), name.slice(at + 1)];
}

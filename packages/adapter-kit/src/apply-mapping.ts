import type { CrmMapping } from "@leadline/contract/crm-mapping";
import type { LeadStatus } from "@leadline/contract/leads";
import type { CrmCustomField, CrmOwner } from "./crm.ts";

/** From the mapping's entry for this value, or otherwise from the adapter's reading of its label. */
export const statusOf = (
  { statuses }: Pick<CrmMapping, "statuses">,
  value: string,
  readWords: (value: string) => LeadStatus,
): LeadStatus => (Object.hasOwn(statuses, value) ? statuses[value] : undefined) ?? readWords(value);

/** The field and the value, without their meaning: a changed mapping of values doesn't change it. */
export const statusValueOf = (fieldId: string | null, value: string): string =>
  fieldId === null ? "" : `${fieldId}\n${value}`;

/** Longer values are cut, because a lead's page shows them in a line or two. */
const longestValue = 1_000;

/** The first `most` UTF-16 units, or one less rather than half of a surrogate pair. */
const cutText = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, "");

/** `separator` joins the values of a multiple choice. */
export function customFieldsOf(
  { custom }: Pick<CrmMapping, "custom">,
  read: (fieldId: string) => string,
  separator?: string,
): CrmCustomField[] {
  return custom.flatMap(({ id, name, labels }) => {
    const values = separator === undefined ? [read(id)] : read(id).split(separator);
    const value = values.map((one) => (Object.hasOwn(labels, one) ? labels[one] : one)).join(", ");
    return value === "" ? [] : [{ name, value: cutText(value, longestValue) }];
  });
}

/** If a text field names the owner, name and email are that text. */
export const ownerIn = (text: string): CrmOwner | null =>
  text === "" ? null : { name: text, email: text.includes("@") ? text : "" };

/** Splits at the last space. */
export function splitName(name: string): [start: string, end: string] {
  const at = name.lastIndexOf(" ");
  return at < 0 ? ["", name] : [name.slice(0, at), name.slice(at + 1)];
}

/** The value for a text field that names the owner. */
export const ownerText = (owner: CrmOwner | null): string => owner?.name || owner?.email || "";

const time = /^(\d{4}-\d\d-\d\d)T[\d:.]+(Z|[+-]\d\d:?\d\d)$/;

/** In one line, as short as the lead form takes it. Of a time, the day. */
export const nextStepOf = (text: string): string =>
  cutText(text.replace(time, "$1").replaceAll(/\s+/g, " ").trim(), 200);

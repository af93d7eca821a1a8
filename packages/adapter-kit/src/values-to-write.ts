import type { CrmMapping } from "@leadline/contract/crm-mapping";
import type { CrmLeadChange } from "./crm-lead-writer.ts";

/** The CRM's fields to write, with their values. Fields that aren't mapped stay in Leadline. */
export function valuesToWrite(
  { fields }: Pick<CrmMapping, "fields">,
  { values, changed }: CrmLeadChange,
): Map<string, string> {
  const written = new Map<string, string>();
  for (const field of changed) {
    const id = fields[field] ?? (field === "firstName" || field === "lastName" ? fields.fullName : null);
    if (id === null) continue;
    const isWholeName = fields[field] === null;
    written.set(id, isWholeName ? `${values.firstName} ${values.lastName}`.trim() : values[field]);
  }
  return written;
}

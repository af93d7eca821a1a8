import type { CrmFieldMapping } from "@leadline/contract/crm-mapping";
import { seeRemovedLeads } from "../../../db/see-removed-leads.ts";
import type { Tx } from "../../../db/transaction.ts";
import { forgetCrmValues } from "../crm-values.table.ts";
import { type CrmColumn, crmColumns } from "../leads.table.ts";

/** Where each column is read from. */
const sourcesOf = ({ fullName, firstName, lastName, email, phone, company, jobTitle, nextStep }: CrmFieldMapping) =>
  ({
    first_name: `${firstName} ${fullName}`,
    last_name: `${lastName} ${fullName}`,
    email,
    phone,
    company,
    job_title: jobTitle,
    next_step: nextStep,
  }) satisfies Record<CrmColumn, string | null>;

/** The team's values stay when a column is mapped to another field: nothing has changed in the CRM. */
export async function keepRemappedValues(
  tx: Tx,
  key: { organisationId: string; integrationId: string },
  { from, to }: { from: CrmFieldMapping; to: CrmFieldMapping },
): Promise<void> {
  const [former, next] = [sourcesOf(from), sourcesOf(to)];
  const columns = crmColumns.filter((column) => former[column] !== next[column]);
  if (columns.length === 0) return;
  await seeRemovedLeads(tx, "on");
  await forgetCrmValues(tx, key, columns);
  await seeRemovedLeads(tx, "off");
}

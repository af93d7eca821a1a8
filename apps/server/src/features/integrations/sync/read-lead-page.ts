import type { Crm, CrmGrant, CrmLeadPage } from "@leadline/adapter-kit/crm";
import type { CrmMapping } from "@leadline/contract/crm-mapping";

/**
 * The next page. A reading from nothing first asks for an ordinary page, which says how many leads there are: if many,
 * and the CRM can prepare them all at once, that page is dropped, and an empty one with the cursor of that reading returned.
 */
export async function readLeadPage(
  crm: Pick<Crm, "readLeads" | "bulk">,
  grant: CrmGrant,
  { cursor, mapping }: { cursor: string | null; mapping: CrmMapping | null },
): Promise<CrmLeadPage> {
  const page = await crm.readLeads(grant, cursor, mapping);
  const { done, total } = page;
  if (crm.bulk === null || cursor !== null || done || total === null || total < crm.bulk.fromLeads) return page;
  const bulkCursor = await crm.bulk.begin(grant, mapping);
  if (bulkCursor === null) return page;
  return { leads: [], leftOut: [], deleted: [], total, done: false, cursor: bulkCursor };
}

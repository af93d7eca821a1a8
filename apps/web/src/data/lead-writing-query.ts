import { getLeadWriting } from "@leadline/contract/written-leads";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";
import { leadsKey } from "./leads-query.ts";

/** Whether the lead's changes were written to its CRM. */
export const leadWritingQuery = (id: string) =>
  queryOptions({
    queryKey: [...leadsKey, "writing", id],
    queryFn: async ({ signal }) => (await request(getLeadWriting, { params: { id } }, { signal })).writing,
    // Changes are queued by any edit.
    staleTime: 0,
  });

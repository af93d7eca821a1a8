import { countLeadConflicts, listLeadConflicts, listLeadMerges } from "@leadline/contract/lead-conflicts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { request, requestPage } from "./api-client.ts";
import { leadsKey } from "./leads-query.ts";

/** Below the leads' key: a changed lead may share something with another. */
const key = [...leadsKey, "conflicts"] as const;

export const leadConflictsQuery = infiniteQueryOptions({
  queryKey: [...key, "list"],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ signal, pageParam }) =>
    requestPage(listLeadConflicts, { query: pageParam ? { after: pageParam } : {} }, { signal }),
  getNextPageParam: (page) => page.next?.get("after") ?? undefined,
});

export const leadConflictCountQuery = queryOptions({
  queryKey: [...key, "count"],
  queryFn: ({ signal }) => request(countLeadConflicts, {}, { signal }),
});

export const leadMergesQuery = queryOptions({
  queryKey: [...key, "merges"],
  queryFn: ({ signal }) => request(listLeadMerges, {}, { signal }),
});

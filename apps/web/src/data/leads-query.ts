import { listFiles } from "@leadline/contract/files";
import {
  countLeads,
  getLead,
  isSearch,
  type LeadConditions,
  type LeadSort,
  listLeadNotes,
  listLeads,
} from "@leadline/contract/leads";
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { request, requestPage } from "./api-client.ts";

/** Every query of leads starts with this key, so that one invalidation covers them all. */
export const leadsKey = ["leads"] as const;

export interface LeadFilter extends LeadConditions {
  search: string;
  sort: LeadSort;
}

/** Without unset conditions. */
export const conditionsIn = ({ status, owner, called, due, followUpOwner }: LeadConditions): LeadConditions =>
  Object.fromEntries(
    Object.entries({ status, owner, called, due, followUpOwner }).filter(([, value]) => value !== undefined),
  );

/** The filter for the server: a search text that is too short is left out. */
export const leadFilterQuery = ({ search, sort, ...conditions }: LeadFilter) => ({
  ...(isSearch(search) ? { search: search.trim() } : {}),
  ...conditionsIn(conditions),
  sort,
});

export const leadListQuery = (chosen: LeadFilter) => {
  const filter = leadFilterQuery(chosen);
  return infiniteQueryOptions({
    queryKey: [...leadsKey, "list", filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filter, limit: 100, ...(pageParam ? { after: pageParam } : {}) };
      return requestPage(listLeads, { query }, { signal });
    },
    getNextPageParam: (page) => page.next?.get("after") ?? undefined,
    // The rows stay while the next keystroke's response is pending.
    placeholderData: keepPreviousData,
  });
};

/** Before returning to the top of a list: otherwise every page scrolled through would be refetched. */
export function keepFirstPage(client: QueryClient, chosen: LeadFilter): void {
  const { queryKey } = leadListQuery(chosen);
  const known = client.getQueryState(queryKey);
  if (known?.data === undefined) return;
  const { pages, pageParams } = known.data;
  client.setQueryData(
    queryKey,
    { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) },
    { updatedAt: known.dataUpdatedAt },
  );
}

export const leadQuery = (id: string) =>
  queryOptions({
    queryKey: [...leadsKey, "one", id],
    queryFn: ({ signal }) => request(getLead, { params: { id } }, { signal }),
  });

/** How many leads match the conditions. A search isn't counted: that would take as long as finding every match. */
export const leadCountQuery = (given: LeadConditions) => {
  const query = conditionsIn(given);
  return queryOptions({
    queryKey: [...leadsKey, "list", "count", query],
    queryFn: ({ signal }) => request(countLeads, { query }, { signal }),
  });
};

/** Leads with this number, however either was written. */
export const leadsWithNumberQuery = (phoneNumber: string) =>
  queryOptions({
    queryKey: [...leadsKey, "number", phoneNumber],
    queryFn: ({ signal }) => request(listLeads, { query: { phoneNumber, limit: 5 } }, { signal }),
  });

export const leadNotesQuery = (id: string) =>
  queryOptions({
    queryKey: [...leadsKey, "notes", id],
    queryFn: ({ signal }) => request(listLeadNotes, { params: { id } }, { signal }),
  });

export const leadFilesQuery = (id: string) =>
  queryOptions({
    queryKey: [...leadsKey, "files", id],
    queryFn: ({ signal }) => request(listFiles, { query: { entity: "lead", entityId: id } }, { signal }),
  });

import { listAuditEntries, readAuditSettings } from "@leadline/contract/audit-log";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

/** As in the address; empty means any. */
export interface AuditFilter {
  userId?: string;
  action?: string;
  search?: string;
  from?: string;
  to?: string;
}

/** Every query of the log starts with this key, so that one invalidation covers them all. */
const auditKey = ["audit-log"] as const;

export const auditSettingsQuery = queryOptions({
  queryKey: [...auditKey, "settings"],
  queryFn: ({ signal }) => request(readAuditSettings, {}, { signal }),
});

export const auditEntriesQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...auditKey, "entries", filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ signal, pageParam }) =>
      request(
        listAuditEntries,
        { query: { ...filter, ...(pageParam !== undefined && { before: pageParam }) } },
        { signal },
      ),
    getNextPageParam: (page) => (page.hasMore ? page.entries.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    // Most actions add an entry, and no live event reports it.
    staleTime: 0,
  });

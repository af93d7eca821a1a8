import { type EntryKind, listStatementEntries, readBillingSummary } from "@leadline/contract/billing";
import { readNumberRenewals } from "@leadline/contract/phone-numbers";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

/** Every query of the ledger starts with this key, so that one invalidation covers them all. */
export const billingKey = ["billing"] as const;

export const billingSummaryQuery = queryOptions({
  queryKey: [...billingKey, "summary"],
  queryFn: ({ signal }) => request(readBillingSummary, {}, { signal }),
});

/** Members see when numbers renew too, since it's with the numbers. */
export const numberRenewalsQuery = queryOptions({
  queryKey: [...billingKey, "renewals"],
  queryFn: ({ signal }) => request(readNumberRenewals, {}, { signal }),
});

export interface EntriesFilter {
  month: string;
  kind?: EntryKind | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Without what isn’t filtered by. */
export const entriesAsked = ({ month, kind, from, to }: EntriesFilter) => ({
  month,
  ...(kind && { kind }),
  ...(from && { from }),
  ...(to && { to }),
});

export const entriesQuery = (filter: EntriesFilter) =>
  infiniteQueryOptions({
    queryKey: [...billingKey, "entries", filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ signal, pageParam }) =>
      request(
        listStatementEntries,
        { query: { ...entriesAsked(filter), ...(pageParam !== undefined && { before: pageParam }) } },
        { signal },
      ),
    getNextPageParam: (page) => (page.hasMore ? page.entries.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
  });

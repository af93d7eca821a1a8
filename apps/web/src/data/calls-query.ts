import { getCall, listCalls } from "@leadline/contract/calls";
import type { RequestInput } from "@leadline/contract/endpoint";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request, requestPage } from "./api-client.ts";

/** Every query of calls starts with this key, so that one invalidation covers them all. */
export const callsKey = ["calls"] as const;

export type CallLogFilter = Omit<NonNullable<RequestInput<typeof listCalls>["query"]>, "limit" | "before">;

/** The call log, optionally filtered, page by page. */
export const callLogQuery = (filter: CallLogFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...callsKey, "log", filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      requestPage(
        listCalls,
        { query: { ...filter, limit: 50, ...(pageParam ? { before: pageParam } : {}) } },
        { signal },
      ),
    getNextPageParam: (page) => page.next?.get("before") ?? undefined,
    placeholderData: keepPreviousData,
  });

export const recentCallsQuery = (limit: number) =>
  queryOptions({
    queryKey: [...callsKey, "recent", limit],
    queryFn: ({ signal }) => request(listCalls, { query: { limit } }, { signal }),
  });

/** Calls that need a lead chosen, up to the 100 that the badge counts. */
export const callsToSortQuery = queryOptions({
  queryKey: [...callsKey, "to-sort"],
  queryFn: ({ signal }) => request(listCalls, { query: { toSort: "true", limit: 100 } }, { signal }),
});

export const callQuery = (callSid: string) =>
  queryOptions({
    queryKey: [...callsKey, "one", callSid],
    queryFn: ({ signal }) => request(getCall, { params: { callSid } }, { signal }),
  });

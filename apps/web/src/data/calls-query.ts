import { listCalls } from "@leadline/contract/calls";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { request, requestPage } from "./api-client.ts";

/** Every query of calls starts with this key, so that one invalidation reaches them all. */
export const callsKey = ["calls"] as const;

export const recentCallsQuery = (limit: number) =>
  queryOptions({
    queryKey: [...callsKey, "recent", limit],
    queryFn: ({ signal }) => request(listCalls, { query: { limit } }, { signal }),
  });

/** The whole log, page by page. */
export const callLogQuery = infiniteQueryOptions({
  queryKey: [...callsKey, "log"],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ signal, pageParam }) =>
    requestPage(listCalls, { query: { limit: 50, ...(pageParam ? { before: pageParam } : {}) } }, { signal }),
  getNextPageParam: (page) => page.next?.get("before") ?? undefined,
});

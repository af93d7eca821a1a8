import { listDoNotCall } from "@leadline/contract/do-not-call";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request, requestPage } from "./api-client.ts";

/** Every query of the list starts with this key, so that one invalidation covers them all. */
export const doNotCallKey = ["do-not-call"] as const;

export const doNotCallListQuery = (digits: string) =>
  infiniteQueryOptions({
    queryKey: [...doNotCallKey, "list", digits],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      requestPage(
        listDoNotCall,
        { query: { limit: 50, ...(digits && { phoneNumber: digits }), ...(pageParam && { before: pageParam }) } },
        { signal },
      ),
    getNextPageParam: (page) => page.next?.get("before") ?? undefined,
    placeholderData: keepPreviousData,
  });

/** The list's entry for one number, E.164; null if it may be called. */
export const doNotCallOfQuery = (phoneNumber: string) =>
  queryOptions({
    queryKey: [...doNotCallKey, "of", phoneNumber],
    queryFn: async ({ signal }) => {
      const found = await request(listDoNotCall, { query: { phoneNumber } }, { signal });
      return found.find((entry) => entry.phoneNumber === phoneNumber) ?? null;
    },
  });

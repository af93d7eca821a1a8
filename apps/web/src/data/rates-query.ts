import { listRates, readNumberRate } from "@leadline/contract/rates";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

/** Every query of rates starts with this key, so that one invalidation reaches them all. */
export const ratesKey = ["rates"] as const;

export const ratesQuery = (carrierId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [...ratesKey, "list", carrierId, search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      request(
        listRates,
        { params: { id: carrierId }, query: { ...(search && { search }), ...(pageParam && { after: pageParam }) } },
        { signal },
      ),
    getNextPageParam: (page) => (page.hasMore ? page.rates.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
  });

/** Calls go to another carrier as soon as the first one is down, and there is no event for that. */
export const carrierMayChangeMs = 30_000;

/** What a call to this number (E.164) costs now. */
export const numberRateQuery = (phoneNumber: string) =>
  queryOptions({
    queryKey: [...ratesKey, "number", phoneNumber],
    queryFn: ({ signal }) => request(readNumberRate, { query: { phoneNumber } }, { signal }),
    // The price is left out if the number is invalid or the carrier is down.
    retry: false,
    staleTime: 15_000,
    refetchInterval: carrierMayChangeMs,
  });

import { type DifferenceKind, listCostDifferences, readCallCost } from "@leadline/contract/carrier-costs";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";
import { billingKey } from "./billing-query.ts";

/** `month` undefined: the current one. `kind` undefined: every kind. */
export const costDifferencesQuery = (filter: { month: string | undefined; kind: DifferenceKind | undefined }) =>
  infiniteQueryOptions({
    queryKey: [...billingKey, "carrier-costs", filter],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) =>
      request(
        listCostDifferences,
        {
          query: {
            ...(filter.month !== undefined && { month: filter.month }),
            ...(filter.kind && { kind: filter.kind }),
            ...(pageParam !== null && { before: pageParam }),
          },
        },
        { signal },
      ),
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });

export const callCostQuery = (callSid: string) =>
  queryOptions({
    queryKey: [...billingKey, "call-cost", callSid],
    queryFn: ({ signal }) => request(readCallCost, { params: { callSid } }, { signal }),
  });

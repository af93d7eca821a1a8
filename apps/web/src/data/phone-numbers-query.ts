import { listNumberOrders, listUnusedNumbers, readNumberRequirements } from "@leadline/contract/number-orders";
import {
  countsAsSearch,
  listAvailableNumbers,
  listPhoneNumbers,
  readNumberUse,
} from "@leadline/contract/phone-numbers";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { request, requestPage } from "./api-client.ts";

/** Every query of numbers starts with this key, so that one invalidation covers them all. */
export const phoneNumbersKey = ["phone-numbers"] as const;

export const phoneNumbersQuery = queryOptions({
  queryKey: [...phoneNumbersKey, "owned"],
  queryFn: ({ signal }) => request(listPhoneNumbers, {}, { signal }),
});

export const numberOrdersQuery = queryOptions({
  queryKey: [...phoneNumbersKey, "orders"],
  queryFn: ({ signal }) => request(listNumberOrders, {}, { signal }),
});

/** Asks the carrier, so changes of numbers here don't refetch it. */
export const unusedNumbersQuery = (accountId: string) =>
  queryOptions({
    queryKey: ["unused-numbers", accountId],
    queryFn: ({ signal }) => request(listUnusedNumbers, { params: { id: accountId } }, { signal }),
  });

/** What the country of a number requires, requested once per dialog. */
export const numberRequirementsQuery = (accountId: string, wish: { countryCode: string; number: string }) =>
  queryOptions({
    queryKey: [...phoneNumbersKey, "requirements", accountId, wish.countryCode, wish.number],
    queryFn: ({ signal }) => request(readNumberRequirements, { query: { accountId, ...wish } }, { signal }),
  });

/** There is no event when the organisation changes carriers: a screen that shows this refetches whenever it opens. */
export const numberUseQuery = queryOptions({
  queryKey: [...phoneNumbersKey, "use"],
  queryFn: ({ signal }) => request(readNumberUse, {}, { signal }),
});

/** A search is cancelled when a newer one starts. */
export const availableNumbersQuery = (countryCode: string, text: string, accountId: string | null) => {
  const query = countsAsSearch(text) ? text.trim() : undefined;
  return infiniteQueryOptions({
    queryKey: [...phoneNumbersKey, "available", countryCode, query ?? null, accountId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: skip }) =>
      requestPage(
        listAvailableNumbers,
        {
          query: {
            countryCode,
            ...(query !== undefined && { query }),
            ...(accountId !== null && { accountId }),
            ...(skip !== undefined && { skip }),
          },
        },
        { signal },
      ),
    getNextPageParam: (page) => page.next?.get("skip") ?? undefined,
  });
};

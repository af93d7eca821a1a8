import { countsAsSearch, listAvailableNumbers, listPhoneNumbers } from "@leadline/contract/phone-numbers";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { request, requestPage } from "./api-client.ts";

/** Every query of numbers starts with this key, so that one invalidation reaches them all. */
export const phoneNumbersKey = ["phone-numbers"] as const;

export const phoneNumbersQuery = queryOptions({
  queryKey: [...phoneNumbersKey, "owned"],
  queryFn: ({ signal }) => request(listPhoneNumbers, {}, { signal }),
});

/** A search that a newer one has overtaken is cancelled. */
export const availableNumbersQuery = (countryCode: string, text: string) => {
  const query = countsAsSearch(text) ? text.trim() : undefined;
  return infiniteQueryOptions({
    queryKey: [...phoneNumbersKey, "available", countryCode, query ?? null],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: skip }) =>
      requestPage(
        listAvailableNumbers,
        { query: { countryCode, ...(query !== undefined && { query }), ...(skip !== undefined && { skip }) } },
        { signal },
      ),
    getNextPageParam: (page) => page.next?.get("skip") ?? undefined,
  });
};

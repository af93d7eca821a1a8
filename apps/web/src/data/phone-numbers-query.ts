import { countsAsSearch, listAvailableNumbers, listPhoneNumbers } from "@leadline/contract/phone-numbers";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

/** Every query of numbers starts with this key, so that one invalidation reaches them all. */
export const phoneNumbersKey = ["phone-numbers"] as const;

export const phoneNumbersQuery = queryOptions({
  queryKey: [...phoneNumbersKey, "owned"],
  queryFn: ({ signal }) => request(listPhoneNumbers, {}, { signal }),
});

/** A search that a newer one has overtaken is cancelled. */
export const availableNumbersQuery = (countryCode: string, text: string) => {
  const query = countsAsSearch(text) ? text.trim() : undefined;
  return queryOptions({
    queryKey: [...phoneNumbersKey, "available", countryCode, query ?? null],
    queryFn: ({ signal }) =>
      request(listAvailableNumbers, { query: { countryCode, ...(query !== undefined && { query }) } }, { signal }),
  });
};

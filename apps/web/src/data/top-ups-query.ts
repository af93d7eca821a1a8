import { getBalanceSettings, getTopUp, listTopUps } from "@leadline/contract/top-ups";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";
import { billingKey } from "./billing-query.ts";

export const topUpsQuery = infiniteQueryOptions({
  queryKey: [...billingKey, "top-ups"],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ signal, pageParam }) =>
    request(listTopUps, { query: pageParam === undefined ? {} : { before: pageParam } }, { signal }),
  getNextPageParam: (page) => (page.hasMore ? page.topUps.at(-1)?.id : undefined),
});

export const balanceSettingsQuery = queryOptions({
  queryKey: [...billingKey, "balance-settings"],
  queryFn: ({ signal }) => request(getBalanceSettings, {}, { signal }),
});

const betweenLooksMs = 3_000;

/** Asks again while it is open: a provider may report its payment late, or not at all. */
export const topUpQuery = (id: string) =>
  queryOptions({
    queryKey: [...billingKey, "top-up", id],
    queryFn: ({ signal }) => request(getTopUp, { params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === "open" ? betweenLooksMs : false),
  });

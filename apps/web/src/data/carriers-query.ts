import { listCarrierKinds, listCarriers, readCarrierTrace } from "@leadline/contract/carriers";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const carriersQuery = queryOptions({
  queryKey: ["carriers"],
  queryFn: ({ signal }) => request(listCarriers, {}, { signal }),
  // A carrier's state changes by itself: soon after it was connected, then rarely.
  refetchInterval: ({ state }) => {
    const used = state.data?.filter(({ inUse }) => inUse) ?? [];
    if (used.length === 0) return false;
    return used.some((one) => one.state.level === "starting") ? 1_000 : 10_000;
  },
});

export const carrierTraceQuery = (id: string) =>
  queryOptions({
    queryKey: ["carrier-trace", id],
    queryFn: ({ signal }) => request(readCarrierTrace, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** They only change with the installation. */
export const carrierKindsQuery = queryOptions({
  queryKey: ["carrier-kinds"],
  queryFn: ({ signal }) => request(listCarrierKinds, {}, { signal }),
  staleTime: Infinity,
});

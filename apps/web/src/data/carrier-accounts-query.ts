import { listAccountKinds, listCarrierAccounts } from "@leadline/contract/carrier-accounts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const carrierAccountsQuery = queryOptions({
  queryKey: ["carrier-accounts"],
  queryFn: ({ signal }) => request(listCarrierAccounts, {}, { signal }),
  // Connecting goes on by itself, step by step.
  refetchInterval: ({ state }) =>
    state.data?.some((account) => account.state === "connecting" || account.state === "disconnecting") ? 500 : false,
});

/** They change with the installation only. */
export const accountKindsQuery = queryOptions({
  queryKey: ["carrier-account-kinds"],
  queryFn: ({ signal }) => request(listAccountKinds, {}, { signal }),
  staleTime: Infinity,
});
